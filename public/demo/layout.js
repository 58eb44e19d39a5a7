import './analytics.js'
import { cartCount } from './basket.js'
import { euros } from './catalogue.js'
import { drawing } from './drawings.js'

/** Root path of the shop; pages such as product/arc-floor-lamp are below it. */
const root = new URL('.', import.meta.url).pathname

const header = document.createElement('header')
header.innerHTML = `
  <a class="logo" href="${root}">Lumen <span>&amp;</span> Loom</a>
  <nav aria-label="Shop">
    <a href="${root}category/lamps">Lamps</a>
    <a href="${root}category/fabrics">Fabrics</a>
    <a href="${root}guides.html">Guides</a>
  </nav>
  <form role="search" action="${root}search.html">
    <input name="q" type="search" aria-label="Search" placeholder="Search" required />
  </form>
  <a href="${root}account.html">Account</a>
  <a href="${root}cart.html">Cart <span id="count"></span></a>`
const footer = document.createElement('footer')
footer.textContent =
  'Lumen & Loom is an invented shop. What you do here is recorded by the Spool that serves it.'
document.body.prepend(header)
document.body.append(footer)
showCount()
// Only where Spool serves the shop can visitors open the dashboard at the same address.
if (root === '/demo/') showRecordingBar()

/** Links to the recording of this visit once there is one. */
function showRecordingBar() {
  const bar = document.createElement('p')
  bar.className = 'recorded'
  bar.textContent = 'You are being recorded. '
  document.body.prepend(bar)
  const link = document.createElement('a')
  const dashboard = dashboardHost()
  link.textContent = 'See your visit'
  link.target = '_blank'
  const timer = setInterval(() => {
    if (!window.posthog.sessionRecordingStarted?.()) return
    clearInterval(timer)
    link.href = `${dashboard ? `//${dashboard}` : ''}/recordings/${window.posthog.get_session_id()}`
    bar.append(link)
  }, 1000)
}

/** Returns the host of the dashboard from which the visitor came; null if it is this one. */
function dashboardHost() {
  const key = 'dashboard'
  const from = new URLSearchParams(location.search).get('from') ?? ''
  if (/^[\w.-]+(:\d+)?$/.test(from)) sessionStorage.setItem(key, from)
  return sessionStorage.getItem(key)
}

export function showCount() {
  document.querySelector('#count').textContent = String(cartCount())
}

export function showProducts(list, products) {
  list.innerHTML = products
    .map(
      ({ slug, name, price }) =>
        `<li><a href="${root}product/${slug}"><div class="picture">${drawing(slug)}</div><b>${name}</b><span>${euros(price)}</span></a></li>`,
    )
    .join('')
}

/** Returns the list items of some guides. */
export function guideList(guides) {
  return guides
    .map(
      ({ slug, title, text }) => `<li><a href="${root}guide/${slug}">${title}</a><span>${text}</span></li>`,
    )
    .join('')
}

/** Shows the result of an action to the visitor; `tone` is `good` or `bad`. */
export function showStatus(text, tone = 'good') {
  const status = document.querySelector('[role=status]')
  status.textContent = text
  status.className = tone
}

/** Returns a parameter of the page's URL, or an empty string. */
export function urlParameter(name) {
  return new URLSearchParams(location.search).get(name) ?? ''
}

/** Returns the last part of the page's path, such as `arc-floor-lamp` on product/arc-floor-lamp. */
export function slugOfPage() {
  return location.pathname.split('/').at(-1)
}

/** Passes the fields of a submitted form to `handle`, instead of leaving the page. */
export function onSubmit(selector, handle) {
  const form = document.querySelector(selector)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    handle(Object.fromEntries(new FormData(form)))
  })
}
