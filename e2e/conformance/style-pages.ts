import type { Page } from '@playwright/test'
import { inBothViewers, type ConformancePage } from './conformance-page.ts'

const dark = `<meta name="color-scheme" content="dark">`

/** Pages that need exact layout or unusual CSS. */
export const stylePages: readonly ConformancePage[] = [
  {
    name: 'dark page, light viewer',
    head: dark,
    body: `<h1>Dark</h1><p>Text</p><input value="x">`,
    viewer: 'light',
  },
  {
    name: 'dark page, dark viewer',
    head: dark,
    body: `<h1>Dark</h1><p>Text</p><button>Button</button>`,
    viewer: 'dark',
  },
  {
    name: 'plain page, dark viewer',
    body: `<h1>Light</h1><p>Text</p><button>Button</button>`,
    viewer: 'dark',
  },
  {
    name: 'page with both themes, dark viewer',
    head: `<style>:root { color-scheme: light dark } @media (prefers-color-scheme: dark) { h1 { color: gold } }</style>`,
    body: `<h1>Both</h1><p style="background: light-dark(#fee, #300)">Text</p><button>Button</button>`,
    viewer: 'dark',
  },
  ...inBothViewers({
    name: 'more contrast',
    head: `<style>body { background: #eee; color: #777 } @media (prefers-contrast: more) { body { background: white; color: black } h1 { border: 8px solid } }
      @media (prefers-contrast: less) { h1 { color: gold } } @media (prefers-contrast: no-preference) { h1 { background: gold } } @media (prefers-contrast) { p { font-size: 30px } }</style>
      <link rel="stylesheet" href="{other}/contrast.css">`,
    body: `<h1>More</h1><p>Text</p><button>Button</button>`,
    contrast: 'more',
  }),
  {
    name: 'color-scheme of an element, dark viewer',
    body: `<p>Light</p><section style="color-scheme: dark; background: Canvas; color: CanvasText"><p>Dark</p><button>Button</button></section>`,
    viewer: 'dark',
  },
  {
    name: 'RTL',
    body: `<main dir="rtl"><h1>مصابيح</h1><ul><li>نحاس</li><li>كتان</li></ul><p>שלום world</p></main>`,
  },
  {
    name: 'writing modes',
    body: `<p style="writing-mode: vertical-rl; height: 200px">Vertical text 縦書き</p><p style="writing-mode: sideways-lr">Sideways</p>`,
  },
  { name: 'emoji and CJK', body: `<h1>灯り 램프 💡🛋️👩‍🔧</h1><p>ﬁne &amp; déjà vu — ½ “quoted” &lt;b&gt;</p>` },
  {
    name: 'grid and flex',
    head: `<style>main { display: grid; grid-template: auto 1fr / 200px 1fr; gap: 10px; height: 400px } nav { display: flex; gap: 8px; grid-column: 1 / -1 } nav > * { flex: 1; background: gold } aside, article { background: #eef }</style>`,
    body: `<main><nav><a>A</a><a>B</a><a>C</a></nav><aside>Side</aside><article>Main</article></main>`,
  },
  {
    name: 'container queries and nesting',
    head: `<style>section { container-type: inline-size; width: 50%; & h2 { color: teal; @container (max-width: 500px) { color: crimson } } &:has(p) { border: 3px solid gold } } @layer base { p { color: red } } p { color: navy }</style>`,
    body: `<section><h2>Narrow</h2><p>Nested</p></section>`,
  },
  {
    name: 'sticky',
    head: `<style>h2 { position: sticky; top: 0; background: gold } footer { position: fixed; bottom: 0; background: teal; width: 100% }</style>`,
    body: `${'<h2>Head</h2>' + '<p>Text</p>'.repeat(30) + '<h2>Next</h2>' + '<p>Text</p>'.repeat(30)}<footer>Foot</footer>`,
    act: (page) => page.evaluate(() => scrollTo(0, 500)),
  },
  {
    name: 'transforms',
    body: `<div style="transform: rotate(20deg) scale(1.2); width: 200px; margin: 60px; background: gold">Turned</div>
      <div style="perspective: 300px"><div style="transform: rotateY(40deg); width: 200px; height: 80px; background: teal">3D</div></div>`,
  },
  {
    name: 'SVG',
    body: `<svg viewBox="0 0 200 100" width="600"><defs><linearGradient id="g"><stop stop-color="gold"/><stop offset="1" stop-color="crimson"/></linearGradient><clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath></defs>
      <rect width="200" height="100" fill="url(#g)" clip-path="url(#c)"/><text x="110" y="50">Text</text><foreignObject x="110" y="60" width="80" height="40"><p>HTML</p></foreignObject></svg>`,
    act: (page) =>
      page.evaluate(() => {
        const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle')
        for (const [name, value] of [
          ['cx', '150'],
          ['cy', '20'],
          ['r', '12'],
        ] as const)
          circle.setAttribute(name, value)
        document.querySelector('svg')?.append(circle)
      }),
  },
  {
    name: 'filters and blend modes',
    body: `<div style="filter: blur(3px) hue-rotate(90deg); background: crimson; width: 200px; height: 80px"></div>
      <div style="background: linear-gradient(gold, teal); width: 300px"><p style="mix-blend-mode: difference; color: white">Blended</p></div>
      <div style="backdrop-filter: invert(1); margin-top: -40px; width: 100px; height: 60px"></div>`,
  },
  {
    name: 'masks and clips',
    body: `<div style="clip-path: polygon(0 0, 100% 50%, 0 100%); background: teal; width: 200px; height: 100px"></div>
      <div style="mask: linear-gradient(black, transparent); background: crimson; width: 200px; height: 100px"></div>`,
  },
  {
    name: 'columns',
    body: `<main style="columns: 3; column-rule: 2px solid gold">${'<p>Columns of text flow here.</p>'.repeat(20)}</main>`,
  },
  {
    name: 'inline styles and variables',
    head: `<style>:root { --accent: teal } @property --size { syntax: '<length>'; inherits: false; initial-value: 20px } p { color: var(--accent); padding: var(--size) }</style>`,
    body: `<p>One</p><p id="two">Two</p>`,
    act: (page) =>
      page.evaluate(() => {
        document.documentElement.style.setProperty('--accent', 'crimson')
        const two = document.querySelector<HTMLElement>('#two')
        two?.style.setProperty('background', 'gold', 'important')
        if (two) two.style.cssText += '; margin: 40px; --size: 50px'
      }),
  },
  {
    name: 'pseudo-elements and counters',
    head: `<style>ol { counter-reset: step } li { list-style: none; counter-increment: step } li::before { content: counter(step) '→ '; color: crimson } p::first-letter { font-size: 60px } li::marker { color: red }</style>`,
    body: `<ol><li>One</li><li>Two</li></ol><p>Letter</p>`,
  },
  {
    name: 'CSS animation, finished',
    head: `<style>@keyframes arrive { from { opacity: 0; transform: translateX(200px) } } p { animation: arrive 0.2s both; font-size: 30px; background: gold }</style>`,
    body: `<p>Arrived</p>`,
    act: finished,
  },
  {
    name: 'CSS animation added later, finished',
    head: `<style>@keyframes grow { to { width: 600px; background: teal } } .on { animation: grow 0.2s forwards } p { width: 100px; background: gold }</style>`,
    body: `<p>Grown</p>`,
    act: async (page) => {
      await page.evaluate(() => document.querySelector('p')?.classList.add('on'))
      await finished(page)
    },
  },
  {
    name: 'CSS animation bound to scrolling',
    head: `<style>@keyframes grow { from { width: 10% } to { width: 100%; background: teal } } header { position: sticky; top: 0; height: 20px; background: gold; animation: grow linear both; animation-timeline: scroll() } b { display: block; animation: grow linear both; animation-timeline: view() }</style>`,
    body: `<header></header>${'<b>Growing</b><p>Text</p>'.repeat(60)}`,
    act: (page) => page.evaluate(() => scrollTo(0, 900)),
  },
  {
    name: 'transition, finished',
    head: `<style>p { transition: all 0.2s; width: 100px; background: gold } .on { width: 600px; background: teal }</style>`,
    body: `<p>Grown</p>`,
    act: async (page) => {
      await page.evaluate(() => document.querySelector('p')?.classList.add('on'))
      await finished(page)
    },
  },
]

/** Waits until the animations of the page have ended. */
async function finished(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().map(({ finished }) => finished))
  })
}
