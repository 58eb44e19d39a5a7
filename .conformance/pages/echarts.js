import * as echarts from 'echarts'

document.querySelector('#root').innerHTML =
  '<h1>Sales</h1><div id="bars" style="width: 700px; height: 230px"></div><div id="pie" style="width: 700px; height: 230px"></div>'
echarts.init(document.querySelector('#bars')).setOption({
  animation: false,
  xAxis: { data: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] },
  yAxis: {},
  series: [
    { type: 'bar', data: [3, 7, 4, 9, 6] },
    { type: 'line', data: [5, 2, 8, 3, 7] },
  ],
})
echarts.init(document.querySelector('#pie'), null, { renderer: 'svg' }).setOption({
  animation: false,
  legend: {},
  series: [
    {
      type: 'pie',
      data: [
        { name: 'Brass', value: 7 },
        { name: 'Linen', value: 4 },
      ],
    },
  ],
})
