import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { allPages, type PagePath, type Sample } from '../src/dashboard/shell/pages.ts'

/** A screenshot to take. */
export type Scene = {
  /** File name without its ending; derived from the route by default. */
  name?: string
  to: PagePath
  /** Query string, such as `?t=16`. */
  search?: string
  sample?: Sample
  /** Brings the page into the state to capture. */
  prepare?: (page: Page) => Promise<void>
  /** Captures the viewport only, for pages with an overlay. Other pages are captured in full length. */
  overlay?: true
}

/** Pages that must be prepared after opening. */
const preparations: Partial<Record<PagePath, Omit<Scene, 'to'>>> = {
  '/exports/$id': { prepare: selectGap },
  '/exports/$id/logs': { overlay: true },
  '/recordings/$id': { search: '?t=16', prepare: readSummary },
  '/shared/$token': { search: '?t=16', prepare: watch, overlay: true },
  '/embedded/$token': { search: '?t=16', prepare: watch, overlay: true },
}

/** More screenshots: pages in other states. */
const states: readonly Scene[] = [
  { name: 'exports-selected', to: '/exports', prepare: selectExports, overlay: true },
  { name: 'exports-none', to: '/exports', search: '?q=nowhere' },
  { name: 'exports-id-failing', to: '/exports/$id', sample: 'failing export' },
  { name: 'exports-id-run', to: '/exports/$id', sample: 'failing export', prepare: openRun, overlay: true },
  { name: 'recordings-selected', to: '/recordings', prepare: selectRecordings, overlay: true },
  { name: 'recordings-none', to: '/recordings', search: '?search=nobody' },
  ...['events', 'network', 'console', 'similar', 'person'].map(ofTab),
  { name: 'palette', to: '/exports', prepare: openPalette, overlay: true },
  { name: 'help', to: '/exports', prepare: openHelp, overlay: true },
]

function ofTab(tab: string): Scene {
  const search = `?t=16&tab=${tab}`
  return { name: `recordings-id-${tab}`, to: '/recordings/$id', sample: 'recording', search, prepare: watch }
}

/** Every page of the dashboard, then pages in other states. */
export const scenes: readonly Scene[] = [
  ...allPages().map((page: Scene) => ({ ...page, ...preparations[page.to] })),
  ...states,
]

/** Returns the file name without its ending: `exports-id-logs` for `/exports/$id/logs`. */
export function sceneName({ name, to }: Scene): string {
  return name ?? (to.slice(1).replaceAll(/\W+/g, '-') || 'home')
}

async function selectExports(page: Page): Promise<void> {
  await page.getByLabel('Select Lake, hourly').click()
  await page.getByLabel('Select Search terms').click()
}

async function selectRecordings(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select the recording/ })
  for (const number of [1, 2, 4]) await boxes.nth(number).click()
}

/** Waits until the replay has rendered. */
async function watch(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Pause|Play)$/ }).waitFor()
  await setTimeout(1500)
}

async function readSummary(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'What went wrong' }).waitFor()
  await watch(page)
}

/** Selects the newest gap. */
async function selectGap(page: Page): Promise<void> {
  const cell = page.getByRole('gridcell')
  await cell.focus()
  const is = async (state: string) => (await cell.getAttribute('aria-label'))?.endsWith(state) === true
  for (let step = 0; step < 100 && !(await is('missing')); step++) await page.keyboard.press('ArrowLeft')
  while (await is('missing')) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowRight')
  await cell.blur()
  await page.evaluate(() => scrollTo(0, 0))
}

async function openRun(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'Failed' }).getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

async function openHelp(page: Page): Promise<void> {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('se')
}
