import Chart from 'chart.js/auto'

Chart.defaults.animation = false
document.querySelector('#root').innerHTML =
  '<h1>Sales</h1><canvas id="bars" width="700" height="220"></canvas><canvas id="lines" width="700" height="220"></canvas>'
const labels = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const options = { responsive: false }
const sales = [
  { label: 'Brass', data: [3, 7, 4, 9, 6], backgroundColor: 'teal' },
  { label: 'Linen', data: [5, 2, 8, 3, 7], backgroundColor: 'gold' },
]
export const charts = [
  new Chart('bars', { type: 'bar', data: { labels, datasets: sales }, options }),
  new Chart('lines', { type: 'line', data: { labels, datasets: sales }, options }),
]
