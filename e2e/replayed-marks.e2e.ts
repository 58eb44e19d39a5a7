import { expect } from '@playwright/test'
import { IncrementalSource, sourceOf } from '../src/replay/recorded/rrweb.ts'
import type { ConformancePage } from './conformance/conformance-page.ts'
import { compare } from './conformance/picture.ts'
import { replayInSpool } from './conformance/replays.ts'
import { recordCanvases, serveSite } from './conformance/site.ts'
import { visit } from './conformance/visit.ts'
import { test } from './journey.ts'

/** Largest share of pixels (percent) that may differ: a focus ring around a small button has more. */
const percentMax = 0.01

const shadow = (content: string, sheet = '') => `<x-shop></x-shop><script>customElements.define('x-shop',
  class extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: 'open' })
    root.innerHTML = ${JSON.stringify(content).replaceAll('</', '<\\/')}
    const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(sheet)}); root.adoptedStyleSheets = [sheet] } })</script>`
const withoutOutline = '@layer base { :focus-visible { outline: none } }'
const button = '<p><button>A button in the middle of a page</button></p>'
const tab: ConformancePage['act'] = (page) => page.keyboard.press('Tab')
/** Opens a dialog with a button that is pressed by mouse. */
const opens = (content: string) =>
  `<p><button onclick="document.querySelector('dialog').showModal()">Open</button></p><dialog>${content}</dialog>`
const open: ConformancePage['act'] = (page) => page.getByRole('button', { name: 'Open' }).click()
const openByKey: ConformancePage['act'] = async (page) => {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

/** Pages that the player's own marks and the viewer's browser could change. */
const pages: readonly ConformancePage[] = [
  {
    name: 'a layer removes the focus ring',
    head: `<style>${withoutOutline}</style>`,
    body: button,
    act: tab,
    isFast: true,
  },
  {
    name: 'rules for a button under the pointer and for one that is not',
    head: '<style>button:hover { background: gold } button:not(:hover) { border: 9px solid teal }</style>',
    body: button,
    act: (page) => page.getByRole('button').hover(),
    awaits: (event) => sourceOf(event) === IncrementalSource.MouseMove,
  },
  { name: 'a focus ring in a shadow root', body: shadow(button), act: tab },
  {
    name: 'a layer in a shadow root removes the focus ring',
    body: shadow(`<style>${withoutOutline}</style>${button}`),
    act: tab,
  },
  {
    name: 'a layer and the order of elements in a shadow root',
    body: shadow(
      `<div><style>${withoutOutline} p:nth-child(2), style + p { background: gold }</style>${button}</div>`,
    ),
    act: tab,
  },
  {
    name: 'a layer of an adopted style sheet removes the focus ring',
    body: shadow(button, withoutOutline),
    act: tab,
  },
  {
    name: 'a style sheet in a shadow root that changes later',
    body: shadow(button, 'p { color: teal }'),
    act: async (page) => {
      await page.evaluate(() => {
        const root = document.querySelector('x-shop')?.shadowRoot
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('button { padding: 20px }')
        if (root) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
      })
      await page.keyboard.press('Tab')
    },
  },
  {
    name: 'a layer colours the selection',
    head: '<style>@layer base { ::selection { background: gold; color: crimson } }</style>',
    body: '<p>Some of this text is selected by the visitor.</p>',
    act: (page) => page.evaluate(() => getSelection()?.selectAllChildren(document.body)),
  },
  {
    name: 'a video without controls in a shadow root',
    body: shadow('<video width="320" height="180" style="background: navy"></video>'),
  },
  {
    name: 'a script in a shadow root',
    body: shadow('<p>Before</p><script>document.title</script><noscript>None</noscript><p>After</p>'),
  },
  { name: 'a dialog with a text, opened by mouse', body: opens('<p>A question</p>'), act: open },
  {
    name: 'a dialog with a text, opened by keyboard',
    body: opens('<p>A question</p>'),
    act: openByKey,
  },
  {
    name: 'a dialog with a text, opened by a script',
    body: opens('<p>A question</p>'),
    act: (page) => page.evaluate(() => document.querySelector('dialog')?.showModal()),
  },
  {
    name: 'a dialog with a button, opened by mouse',
    body: opens('<form method="dialog"><button>Yes</button> <button autofocus>No</button></form>'),
    act: open,
  },
  {
    name: 'a dialog with a button, opened by keyboard',
    body: opens('<form method="dialog"><button>Yes</button> <button>No</button></form>'),
    act: openByKey,
  },
  { name: 'audio without a source', body: '<p>Listen:</p><audio controls></audio>' },
]

for (const page of pages)
  test(
    `the player adds no mark of its own to ${page.name}`,
    { tag: page.isFast ? [] : '@slow' },
    async ({ browser, service, tenant }) => {
      await recordCanvases(service, tenant)
      const site = await serveSite([page], service, tenant)
      const visited = await visit(browser, site, page, service, tenant)
      const replayed = await replayInSpool(browser, service, tenant, visited, page)
      const { percent } = compare(visited.picture, replayed)
      expect(percent).toBeLessThanOrEqual(percentMax)
      site.stop()
    },
  )
