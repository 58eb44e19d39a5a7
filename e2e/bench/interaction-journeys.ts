import type { Analyst } from './analyst.ts'
import type { Workplace } from './bench-interaction-fill.ts'

type Journey = (analyst: Analyst, known: Workplace) => Promise<void>

/** What an analyst does in a day, with 1,000 exports and 20,000 recordings. */
export const journeys: readonly Journey[] = [
  useExportList,
  useExport,
  useForm,
  useHome,
  useRecordingList,
  useRecording,
  useSettings,
]

const filterField = '[aria-label="Filter exports"]'
const navigation = (to: string) => `nav[aria-label="Main"] a[href="${to}"]`
const times = (count: number, key: string) => Array.from({ length: count }, () => key)

async function useExportList(analyst: Analyst): Promise<void> {
  await analyst.see('tbody tr')
  await analyst.click('exports: focus the filter', filterField)
  await analyst.type('exports: type a filter', 'orders for the')
  await analyst.press('exports: clear the filter', ...times(14, 'Backspace'))
  for (const header of ['Name', 'State', 'Rows, 24 h', 'Next run', 'Destination', 'Name'])
    await analyst.click(`exports: sort by ${header}`, 'th button', header)
  await analyst.focus('label:has-text("State") > select')
  await analyst.press('exports: filter by state', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp')
  await analyst.focus('label:has-text("Group") > select')
  await analyst.press('exports: group', 'ArrowDown', 'ArrowUp')
  for (const row of [3, 5, 9])
    await analyst.click('exports: select a row', `tbody tr:nth-child(${row}) [type=checkbox]`)
  await analyst.click('exports: select all', 'thead [type=checkbox]')
  await analyst.click('exports: clear the selection', '[aria-label="Clear selection"]')
  await analyst.click('exports: open a menu', 'tbody tr:nth-child(4) [aria-haspopup=menu]')
  await analyst.press('exports: move in a menu', 'ArrowDown', 'ArrowDown')
  await analyst.press('exports: close a menu', 'Escape')
  await analyst.press('exports: move by keys', 'j', 'j', 'x', 'j', 'x', 'k', 'Escape')
  await analyst.press('exports: open the keys', '?')
  await analyst.see('dialog[open]')
  await analyst.press('exports: close the keys', 'Escape')
}

async function useExport(analyst: Analyst, { gridExport }: Workplace): Promise<void> {
  await analyst.click('exports: filter for one', filterField)
  await analyst.type('exports: filter for one', 'Grid')
  await analyst.click('open an export', `a[href^="/exports/${gridExport}"]`)
  await analyst.see('[aria-label="Windows by state"]')
  for (const period of ['30 days', '7 days', '30 days'])
    await analyst.click('export: choose a period', 'fieldset button', period)
  await analyst.drag('export: drag over windows', 'div:has(> [aria-label="Windows of the period"])')
  await analyst.press('export: move in the grid', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Escape')
  for (const tab of ['Ledger', 'Logs', 'Settings', 'Backfills', 'Runs'])
    await analyst.click(`export: open the tab ${tab}`, 'nav[aria-label="Views"] a', tab)
  await analyst.click('export: page runs', 'button', 'Older')
  await analyst.click('export: page runs', 'button', 'Newer')
  await analyst.click('export: open a run', '[data-id] td:nth-child(3) button')
  await analyst.see('dialog[open]')
  await analyst.press('export: close a run', 'Escape')
  await analyst.click('export: open the menu', 'main [aria-haspopup=menu]')
  await analyst.press('export: close the menu', 'Escape')
  await analyst.click('export: open the backfill dialog', 'button', /^Backfill/)
  await analyst.see('dialog[open]')
  await analyst.press('export: close the backfill dialog', 'Escape')
}

async function useForm(analyst: Analyst): Promise<void> {
  await analyst.click('back to the list', navigation('/exports'))
  await analyst.see('tbody tr')
  await analyst.press('open the form', 'n')
  await analyst.see('form [name=name]')
  await analyst.click('form: focus the name', 'form [name=name]')
  await analyst.type('form: type a name', 'Orders of the week')
  await analyst.click('form: choose a model', 'form label', 'and distinct id')
  await analyst.click('form: choose a model', 'form label', 'per event')
  await analyst.click('form: unfold the columns', 'form summary', 'Columns and filters')
  await analyst.click('form: focus the query', 'form [name=hogql_query]')
  await analyst.type('form: type a query', 'SELECT event, timestamp FROM events')
  await analyst.focus('form [name=interval]')
  await analyst.press('form: choose an interval', 'ArrowDown')
  await analyst.click('leave the form', navigation('/exports'))
  await analyst.click('leave the form', 'dialog[open] button', 'Leave')
  await analyst.see('tbody tr')
}

async function useHome(analyst: Analyst): Promise<void> {
  await analyst.click('open Home', navigation('/'))
  await analyst.see('main h2')
  await analyst.click('open Problems', navigation('/problems'))
  await analyst.see('main h1', 'Problems')
  await analyst.press('open the palette', 'Control+k')
  await analyst.see('[aria-label="Command palette"]')
  await analyst.type('palette: type', 'orders for 77')
  await analyst.press('palette: move', 'ArrowDown', 'ArrowDown', 'ArrowUp')
  await analyst.press('palette: close', 'Escape')
  await analyst.click('open History', navigation('/settings/history'))
  await analyst.click('open Alerts', navigation('/settings/alerts'))
  await analyst.click('open Home', navigation('/'))
}

async function useRecordingList(analyst: Analyst): Promise<void> {
  await analyst.click('open Recordings', navigation('/recordings'))
  await analyst.see('tbody tr')
  await analyst.click('recordings: focus the search', '[aria-label="Search, or paste a ticket"]')
  await analyst.type('recordings: type a search', 'lamp')
  await analyst.press('recordings: clear the search', ...times(4, 'Backspace'))
  for (const turn of [1, 2])
    await analyst.click(
      `recordings: a quick filter, ${turn}`,
      '[aria-label="Quick filters"] button',
      'Errors',
    )
  await analyst.click('recordings: add a filter', '[popovertarget=add-filter]')
  await analyst.see('#add-filter [role=option]')
  await analyst.type('recordings: type a filter', 'outcome')
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await analyst.press('recordings: choose a filter', key)
  await analyst.click('recordings: remove a filter', 'button', 'Clear all')
  await analyst.focus('label:has-text("Sort") > select')
  await analyst.press('recordings: sort', 'ArrowDown', 'ArrowUp')
  for (const row of [2, 4])
    await analyst.click('recordings: select a row', `tbody tr:nth-child(${row}) [type=checkbox]`)
  await analyst.click('recordings: select all', 'thead [type=checkbox]')
  await analyst.click('recordings: clear the selection', '[aria-label="Clear selection"]')
  await analyst.click('recordings: open a menu', 'tbody tr:nth-child(3) [aria-haspopup=menu]')
  await analyst.press('recordings: close a menu', 'Escape')
  await analyst.press('recordings: move by keys', 'j', 'j', 'x', 'k', 'Escape')
  await analyst.click('recordings: larger rows', '[aria-label="Comfortable rows"]')
  await analyst.click('recordings: smaller rows', '[aria-label="Comfortable rows"]')
  await analyst.click('open Errors', navigation('/recordings/errors'))
  await analyst.click('open Collections', navigation('/recordings/collections'))
}

async function useRecording(analyst: Analyst, { recording }: Workplace): Promise<void> {
  await analyst.open(`/recordings/${recording}`)
  await analyst.see('[aria-label="Playback position"]')
  await analyst.rest(1500)
  await analyst.click('recording: play or pause', '[aria-label="Pause"], [aria-label="Play"]')
  await analyst.press('recording: play or pause', ' ', ' ')
  for (const share of [0.2, 0.8, 0.5])
    await analyst.click('recording: seek', '[aria-label="Playback position"]', undefined, share)
  await analyst.press('recording: seek by keys', 'ArrowRight', 'ArrowRight', 'ArrowLeft')
  await analyst.click('recording: next error', '[aria-label="Next error"]')
  for (const tab of ['Events', 'Network', 'Console', 'Person', 'Similar', 'Notes', 'Events'])
    await analyst.click(`recording: open the tab ${tab}`, 'nav[aria-label="Inspector"] a', tab)
  await analyst.click('recording: focus the search', '[aria-label="Search in this recording"]')
  await analyst.type('recording: type a search', 'cart')
  await analyst.press('recording: clear the search', ...times(4, 'Backspace'))
  for (const turn of [1, 3, 0])
    await analyst.click('recording: filter the events', `[aria-label="Show"] button >> nth=${turn}`)
  await analyst.click('recording: open a moment', 'ol[aria-label="What happened"] li:nth-child(4) button')
  await analyst.click('recording: back to the list', 'header a', 'Recordings')
}

async function useSettings(analyst: Analyst): Promise<void> {
  await analyst.click('open the settings', 'nav[aria-label="Main"] button', 'Settings')
  await analyst.click('open Members', navigation('/settings/members'))
  await analyst.click('open the settings', 'nav[aria-label="Main"] button', 'Settings')
  await analyst.click('open Privacy', navigation('/settings/privacy'))
  await analyst.click('open the settings', 'nav[aria-label="Main"] button', 'Settings')
  await analyst.click('open the audit log', navigation('/settings/audit'))
}
