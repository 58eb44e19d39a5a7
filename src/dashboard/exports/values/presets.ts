import type { Model } from '../../../contract/exports/batch-export.ts'
import type { ExportValues } from './export-values.ts'

/** Columns and filters that fill the form with one click. */
export type Preset = ReturnType<typeof preset>

/** Common choices of columns and filters by model; the first is everything. */
export const presets: Record<Model, readonly Preset[]> = {
  events: [
    preset('All events'),
    preset('Page views', { include: '$pageview' }),
    preset('Without automatic events', { exclude: '$autocapture\n$pageleave\n$rageclick\n$web_vitals' }),
    preset('Flat columns', {
      query:
        'SELECT uuid, event, timestamp, distinct_id, properties.$current_url AS url, properties.$browser AS browser\nFROM events',
    }),
  ],
  persons: [
    preset('All columns'),
    preset('Contacts', {
      query: 'SELECT distinct_id, properties.email AS email, properties.name AS name\nFROM persons',
    }),
  ],
  recordings: [
    preset('All columns'),
    preset('Summaries', { query: 'SELECT session_id, start_time, duration, summary\nFROM recordings' }),
  ],
}

/** `include` and `exclude` are event names, one per line. */
function preset(label: string, { query = '', include = '', exclude = '' } = {}) {
  return { label, query, include, exclude }
}

type Chosen = Pick<ExportValues, 'hogql_query' | 'model'> & {
  config: Pick<ExportValues['destination']['config'], 'include_events' | 'exclude_events'>
}

/** Whether the form has exactly the columns and filters of a preset. */
export function isPreset({ query, include, exclude }: Preset, { model, hogql_query, config }: Chosen) {
  if (hogql_query.trim() !== query) return false
  return (
    model !== 'events' ||
    (config.include_events.trim() === include && config.exclude_events.trim() === exclude)
  )
}

/** Says what the folded columns and filters contain: `all columns, some events`. */
export function foldedInWords({ model, hogql_query, config }: Chosen, includesFiles: boolean): string {
  const columns = hogql_query.trim() === '' ? 'all columns' : 'columns of a query'
  if (model === 'recordings') return includesFiles ? `${columns}, with files` : columns
  if (model === 'persons') return columns
  const filtered = config.include_events.trim() !== '' || config.exclude_events.trim() !== ''
  return `${columns}, ${filtered ? 'some events' : 'all events'}`
}
