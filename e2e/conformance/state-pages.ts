import { IncrementalSource, sourceOf } from '../../src/replay/recorded/rrweb.ts'
import { inBothViewers, type ConformancePage } from './conformance-page.ts'

const unmasked = { maskAllInputs: false }
const long = Array.from({ length: 60 }, (_, line) => `<p>Line ${line} of a long page</p>`).join('')

/** Pages whose state comes from a visitor's actions. */
export const statePages: readonly ConformancePage[] = [
  {
    name: 'form',
    body: `<label>Name <input name="name"></label> <label>Note <textarea></textarea></label>
      <label><input type="checkbox"> Gift</label> <label><input type="radio" name="size" value="s"> Small</label>
      <select><option>Brass</option><option>Steel</option></select>`,
    recorder: unmasked,
    act: async (page) => {
      await page.getByLabel('Name').fill('Ada Lovelace')
      await page.getByLabel('Note').fill('Two lines\nof a note')
      await page.getByLabel('Gift').check()
      await page.getByLabel('Small').check()
      await page.getByRole('combobox').selectOption('Steel')
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    },
    isFast: true,
  },
  {
    name: 'masked inputs',
    body: `<input value="Lamp"> <input type="password" value="secret"> <textarea>Note</textarea> <p class="ph-mask">Masked text</p>`,
  },
  {
    name: 'input types',
    body: [
      'text',
      'number',
      'date',
      'time',
      'color',
      'range',
      'file',
      'search',
      'url',
      'checkbox',
      'button',
      'submit',
    ]
      .map((type) => `<p><input type="${type}"></p>`)
      .join(''),
    recorder: unmasked,
    act: async (page) => {
      await page.locator('[type=date]').fill('2024-02-29')
      await page.locator('[type=time]').fill('12:34')
      await page.locator('[type=color]').fill('#ff8800')
      await page.locator('[type=range]').fill('80')
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    },
  },
  {
    name: 'select and textarea',
    body: `<select multiple size="4"><option>One</option><option selected>Two</option><option>Three</option></select>
      <textarea rows="3" cols="30">First</textarea><select><optgroup label="Metals"><option>Brass<option>Steel</optgroup></select>`,
    recorder: unmasked,
    act: async (page) => {
      await page.locator('select').first().selectOption(['One', 'Three'])
      await page.locator('textarea').fill('Second\nThird')
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    },
  },
  {
    name: 'progress and meter',
    body: `<progress max="10" value="3"></progress> <meter min="0" max="10" low="3" high="7" value="5"></meter>`,
    act: (page) => page.evaluate(() => document.querySelector('progress')?.setAttribute('value', '8')),
  },
  {
    name: 'focus',
    head: `<style>input:focus { background: #cfe; border: 4px solid teal } form:focus-within { background: #ffd; padding: 20px } button:focus-visible { outline: 5px solid crimson }</style>`,
    body: `<form><input aria-label="Name"><input aria-label="Town"></form><button>Send</button>`,
    act: (page) => page.getByLabel('Town').click(),
  },
  {
    name: 'focus by keyboard',
    head: `<style>button:focus-visible { outline: 5px solid crimson; background: gold }</style>`,
    body: `<button>First</button> <button>Second</button> <a href="#x">A link</a>`,
    act: async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
    },
  },
  {
    name: 'focus ring of the browser',
    body: `<input aria-label="Name"> <button>Send</button> <a href="#x">A link</a>`,
    act: (page) => page.getByLabel('Name').click(),
  },
  {
    name: 'contenteditable',
    head: `<style>[contenteditable]:focus { background: #eef }</style>`,
    body: `<div contenteditable style="padding: 10px; border: 1px solid">Text</div>`,
    act: async (page) => {
      await page.locator('[contenteditable]').click()
      await page.keyboard.press('End')
      await page.keyboard.type(' typed by a visitor')
    },
  },
  {
    name: 'scrolled page',
    body: long,
    act: (page) => page.evaluate(() => scrollTo(0, 700)),
  },
  {
    name: 'scrolled element',
    body: `<div id="box" style="height: 300px; width: 200px; overflow: auto; white-space: nowrap">${long}</div>`,
    act: (page) => page.evaluate(() => document.querySelector('#box')?.scrollTo(30, 400)),
  },
  {
    name: 'page opened at an anchor',
    body: `<style>html { scroll-behavior: smooth }</style>${long}<h2 id="end">The end</h2>${long}`,
    act: (page) =>
      page.evaluate(() => document.querySelector('#end')?.scrollIntoView({ behavior: 'instant' })),
  },
  {
    name: 'selection',
    body: `<p id="text">Some of this text is selected by the visitor.</p><p>Not this.</p>`,
    act: (page) =>
      page.evaluate(() => {
        const text = document.querySelector('#text')?.firstChild
        if (text) getSelection()?.setBaseAndExtent(text, 5, text, 30)
      }),
  },
  {
    name: 'hover',
    head: `<style>button { transition: none } button:hover { background: gold } li:hover { color: crimson } ul:hover { background: #eee }</style>`,
    body: `<ul><li>One</li><li>Two</li></ul><button>Buy</button>`,
    act: (page) => page.getByText('Two').hover(),
  },
  {
    name: 'SPA navigation',
    body: `<nav><a href="/a">A</a></nav><main>Home</main>`,
    act: (page) =>
      page.evaluate(() => {
        history.pushState({}, '', '/lamps')
        document.title = 'Lamps'
        document
          .querySelector('main')
          ?.replaceChildren(Object.assign(document.createElement('h1'), { textContent: 'Lamps' }))
      }),
  },
  {
    name: 'resize',
    head: `<style>body { background: #fed } @media (max-width: 600px) { body { background: #def } h1 { font-size: 60px } }</style>`,
    body: `<h1>Resized</h1><p style="width: 50vw; background: gold">Half of the window</p>`,
    act: (page) => page.setViewportSize({ width: 500, height: 700 }),
    awaits: (event) => sourceOf(event) === IncrementalSource.ViewportResize,
  },
  {
    name: 'touch',
    head: `<meta name="viewport" content="width=device-width"><style>:active { color: crimson }</style>`,
    body: `<button onclick="this.textContent = 'Tapped'">Tap</button>`,
    size: { width: 375, height: 667 },
    hasTouch: true,
    act: (page) => page.getByRole('button').tap(),
  },
  {
    name: 'details',
    body: `<details><summary>Delivery</summary><p>Two days</p></details><details open><summary>Returns</summary><p>Thirty days</p></details>`,
    act: (page) => page.getByText('Delivery').click(),
  },
  {
    name: 'dialog',
    head: `<style>dialog { border: 3px solid teal } dialog::backdrop { background: rgb(0 0 80 / 0.5) }</style>`,
    body: `<p>Behind</p><dialog><p>A question</p></dialog>`,
    act: (page) => page.evaluate(() => document.querySelector('dialog')?.showModal()),
  },
  {
    name: 'popover',
    head: `<style>[popover] { border: 3px solid teal; padding: 20px } [popover]::backdrop { background: rgb(80 0 0 / 0.3) }</style>`,
    body: `<p>Behind</p><div popover id="note">A note</div>`,
    act: (page) => page.evaluate(() => document.querySelector<HTMLElement>('#note')?.showPopover()),
  },
  ...inBothViewers({
    name: 'animations of scripts',
    head: `<style>b { display: block; width: 120px; height: 60px; margin: 8px; background: teal; color: white } #late { margin-left: 300px }</style>`,
    body: ['running', 'paused', 'filled', 'ended', 'cancelled', 'turned', 'late']
      .map((id) => `<b id="${id}">${id}</b>`)
      .join(''),
    act: (page) =>
      page.evaluate(async () => {
        const slides = { translate: ['0', '600px'], backgroundColor: ['gold', 'crimson'] }
        const animate = (
          id: string,
          keyframes: PropertyIndexedKeyframes,
          options: KeyframeAnimationOptions,
        ) =>
          document.querySelector(`#${id}`)?.animate(keyframes, { duration: 1_000, ...options }) ??
          new Animation()
        animate('running', slides, { duration: 3_600_000 }).currentTime = 1_800_000
        const paused = animate('paused', slides, { easing: 'ease-in', iterations: Infinity })
        const turned = animate('turned', { rotate: ['0deg', '20deg'] }, { composite: 'add', fill: 'both' })
        const short = [
          animate('filled', slides, { duration: 50, fill: 'forwards', pseudoElement: null }),
          animate('ended', slides, { duration: 50 }),
        ]
        const cancelled = animate('cancelled', slides, { duration: 60_000 })
        const late = Object.assign(document.createElement('b'), { textContent: 'added', id: 'added' })
        document.querySelector('#late')?.after(late)
        animate('added', slides, { delay: -500, fill: 'both' }).pause()
        await Promise.all(short.map(({ finished }) => finished))
        cancelled.cancel()
        paused.pause()
        paused.currentTime = 5_700
        turned.playbackRate = 2
        turned.finish()
        const scrubbed = animate('late', slides, {})
        scrubbed.pause()
        for (let time = 0; time <= 400; time += 40) {
          scrubbed.currentTime = time
          await new Promise(requestAnimationFrame)
        }
        // Frequent changes are reported with a delay.
        await new Promise((done) => {
          setTimeout(done, 200)
        })
      }),
  }),
  {
    name: 'animation of a script bound to scrolling',
    body: `<b style="position: fixed; width: 300px; background: gold">Moving</b>${long}`,
    act: (page) =>
      page.evaluate(() => {
        // TypeScript does not know it yet.
        const { ScrollTimeline } = window as unknown as { ScrollTimeline: new () => AnimationTimeline }
        document
          .querySelector('b')
          ?.animate({ translate: ['0', '400px'] }, { timeline: new ScrollTimeline() })
        scrollTo(0, 700)
      }),
    limit: 'animations of scripts bound to scrolling are not recorded',
    proof: { absent: /translate/, badge: 'animations of scripts bound to scrolling' },
  },
  ...inBothViewers({
    name: 'top layer',
    head: `<style>dialog { border: 3px solid teal } [popover] { margin: 0; inset: auto; left: 450px; width: 300px; height: 120px; background: gold }
      header { position: fixed; z-index: 9999; background: crimson; width: 100% }</style>`,
    body: `<header>Above the page</header><p>Behind</p><button onclick="document.querySelector('dialog').showModal()">Ask</button>
      <dialog><p>A question</p><button popovertarget="menu">Menu</button><ul popover id="menu"><li>One</li><li>Two</li></ul></dialog>`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.getByRole('button', { name: 'Menu' }).click()
    },
  }),
]
