import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { Zone } from '../../format/preferences.ts'
import { counted } from '../../format/amount.ts'
import { destinationFormat, destinationPlace } from '../../format/destination.ts'
import { everyInterval } from '../../format/interval.ts'
import { zoneName } from '../../format/time.ts'
import { namesIn, type ExportValues } from './export-values.ts'

/** Says in one sentence what an export with these form values will do. */
export function exportSentence(values: ExportValues, zone: Zone): string {
  const { destination, interval } = values
  const every = everyInterval(interval)
  const { config } = destination
  const size = config.max_file_size_mb.trim()
  const format = destinationFormat(destination)
  const files = format && `as ${format}${size && ` in files of at most ${size} MB`} `
  const parts = [
    `${every.charAt(0).toUpperCase()}${every.slice(1)}`,
    rowsInWords(values),
    `${files ?? ''}to ${placeInWords(destination)}`,
    ...bound('from', values.start_at, zone),
    ...bound('until', values.end_at, zone),
  ]
  return `${parts.join(', ')}.`
}

function placeInWords(destination: ExportValues['destination']): string {
  const { noun, field } = destinationKinds[destination.type].container
  return destination.config[field].trim() === '' ? `a ${noun}` : destinationPlace(destination).trim()
}

/** More events than this are counted instead of named. */
const namedMax = 3

function rowsInWords({ model, hogql_query: query, destination: { config } }: ExportValues): string {
  const columns = query.trim() === '' ? '' : filters(query) ? 'the rows of a query on ' : 'chosen columns of '
  switch (model) {
    case 'events': {
      const [only, but] = [namesIn(config.include_events), namesIn(config.exclude_events)]
      const some = only.length === 0 ? 'all events' : `only ${listed(only)}`
      return `${columns}${some}${but.length === 0 ? '' : ` but ${only.length === 0 ? '' : 'not '}${listed(but)}`}`
    }
    case 'persons':
      return `${columns}all persons that changed`
    case 'recordings':
      return `${columns}all recordings${config.include_blocks ? ' with their files' : ''}`
  }
}

/** Whether a query has a condition, outside of its quoted texts and names. */
function filters(query: string): boolean {
  return /\bwhere\b/i.test(query.replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`|"[^"]*"/g, ''))
}

/** `$pageview and order placed`, or `12 events`. */
function listed(names: readonly string[]): string {
  if (names.length > namedMax) return counted(names.length, 'event')
  return new Intl.ListFormat('en-GB').format(names)
}

function bound(word: string, field: string, zone: Zone): string[] {
  return field === '' ? [] : [`${word} ${field.replace('T', ' ')} ${zoneName(zone)}`]
}
