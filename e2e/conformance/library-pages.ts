import type { Page } from '@playwright/test'
import { IncrementalSource, sourceOf, type RecordedEvent } from '../../src/replay/recorded/rrweb.ts'
import { inBothViewers, type ConformancePage } from './conformance-page.ts'

type Library = Omit<ConformancePage, 'body'>

const isFrame = (event: RecordedEvent) => sourceOf(event) === IncrementalSource.CanvasMutation
const sheet = (file: string) => `<link rel="stylesheet" href="/library/${file}.css">`

/** A shorthand with a variable, of which a later declaration overrides a part. */
const lost = (absent: RegExp) => ({
  limit: 'browsers do not report all parts of a CSS shorthand that uses a variable',
  proof: { absent, badge: 'CSS shorthand that uses a variable' },
})

/** Pages of UI libraries, by their file in .conformance/pages. */
const libraries: Record<string, Library> = {
  'ag-grid': {
    name: 'ag-grid',
    act: (page) => page.getByText('Lamp 27', { exact: true }).click(),
  },
  antd: { name: 'Ant Design', act: order },
  bootstrap: { name: 'Bootstrap', head: sheet('bootstrap'), act: order },
  chakra: { name: 'Chakra', act: order, ...lost(/padding: ?var\(--chakra-spacing-5\)/) },
  'chart-js': { name: 'Chart.js', awaits: isFrame },
  codemirror: {
    name: 'CodeMirror',
    act: (page) => page.getByRole('textbox', { name: 'Find' }).fill('brass'),
  },
  echarts: { name: 'ECharts', awaits: isFrame },
  leaflet: {
    name: 'Leaflet',
    head: sheet('leaflet'),
    act: (page) => page.getByRole('button', { name: 'Marker' }).click(),
  },
  mantine: {
    name: 'Mantine',
    head: sheet('mantine'),
    act: order,
    ...lost(/padding: ?var\(--mb-padding, var\(--mantine-spacing-md\)\);\s*padding-top/),
  },
  'material-web': { name: 'Material Web', act: order },
  monaco: {
    name: 'Monaco',
    head: sheet('monaco'),
    act: async (page) => {
      await page.locator('.view-line').nth(3).click()
      await page.keyboard.type(' // typed')
    },
  },
  mui: { name: 'MUI', act: order },
  quill: {
    name: 'Quill',
    head: sheet('quill'),
    act: async (page) => {
      await page.locator('.ql-editor').click()
      await page.keyboard.type(' typed')
    },
  },
  shoelace: {
    name: 'Shoelace',
    head: sheet('shoelace'),
    act: order,
    ...lost(
      /border: ?solid var\(--sl-panel-border-width\) var\(--sl-panel-border-color\);\s*border-top-width/,
    ),
  },
  'styled-components': { name: 'styled-components', act: order },
  tailwind: { name: 'Tailwind', head: sheet('tailwind'), act: order },
  three: { name: 'Three.js', awaits: isFrame },
}

/** Pages of UI libraries, each in a light and in a dark viewer. */
export const libraryPages: readonly ConformancePage[] = Object.entries(libraries).flatMap(([file, library]) =>
  inBothViewers({
    ...library,
    name: `library: ${library.name}`,
    body: `<div id="root"></div><script type="module" src="/library/${file}.js"></script>`,
    recorder: { maskAllInputs: false },
  }),
)

/** Fills the field of a page's form, if it has any, and opens its dialog or menu. */
async function order(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Order' }).click()
}
