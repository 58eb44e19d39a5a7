import { textsOf } from '../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import { plainPath } from '../../contract/destinations/object-path.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { destinationDrivers } from './destination-drivers.ts'
import { placedConfig } from '../store/runs/placed-config.ts'
import { fileExtension } from './file-key.ts'

/** The columns that determine the names of an export's files. */
export type NamedExport = Pick<
  BatchExportRow,
  | 'id'
  | 'project_id'
  | 'model'
  | 'interval'
  | 'destination_type'
  | 'destination_config'
  | 'integration_config'
>

/**
 * Returns whether two exports can write files of the same name: to one bucket or folder, for the same windows, with
 * prefixes that are equal for some window. Two split exports also share their manifests, whatever their formats.
 */
export function canShareFiles(one: NamedExport, other: NamedExport): boolean {
  if (one.id === other.id || one.interval !== other.interval) return false
  if (storeKeyOf(one) !== storeKeyOf(other)) return false
  const [a, b] = [formOf(one), formOf(other)]
  return (
    (a.extension === b.extension || (a.isSplit && b.isSplit)) &&
    canBeEqual(charactersOf(one), charactersOf(other))
  )
}

/** Returns a text that is the same for all exports that can write files of the same name, and for few others. */
export function groupOf(row: NamedExport): string {
  return `${row.interval} ${storeKeyOf(row)} ${shapeOf(row)}`
}

function storeKeyOf(row: NamedExport): string {
  return destinationDrivers[row.destination_type].storeKey?.(textsOf(placedConfig(row))) ?? ''
}

function formOf({ destination_config: config }: NamedExport) {
  const format = FileFormat.catch('JSONLines').parse(config['file_format'])
  const compression = Compression.nullable().catch(null).parse(config['compression'])
  return { extension: fileExtension(format, compression), isSplit: Boolean(config['max_file_size_mb']) }
}

/** Whether a character is a symbol for a digit of a variable, like `end year 0`, rather than a literal. */
const isDigit = (character: string) => character.length > 1

function shapeOf(row: NamedExport): string {
  return charactersOf(row)
    .map((character) => (isDigit(character) || /\d/.test(character) ? '#' : character))
    .join('')
}

/** Returns the normalised folder of an export's files; null if it contains variables. */
export function plainFolderOf(row: NamedExport): string | null {
  const folder = folderOf(row)
  return folder.includes('{') ? null : folder
}

function folderOf(row: NamedExport): string {
  const { isOnDisk, folderField } = destinationKinds[row.destination_type]
  const folder = textsOf(row.destination_config)(folderField)
  return plainPath(isOnDisk ? `${row.project_id}/${folder}` : folder)
}

/** Returns the characters of the folder of an export's files, with a symbol for each digit of a variable. */
function charactersOf(row: NamedExport): string[] {
  const variables = variablesOf(row.interval, row.model)
  return [...folderOf(row).matchAll(/\{(\w+)\}|[\s\S]/gu)].flatMap(
    ([text, name]) => (name === undefined ? undefined : variables.get(name)) ?? [...text],
  )
}

function variablesOf(interval: NamedExport['interval'], model: NamedExport['model']): Map<string, string[]> {
  const digits = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name} ${index}`)
  const timeOf = (side: 'start' | 'end') => {
    const zero = ['0', '0']
    const isDaily = interval === 'day' || interval === 'week'
    const year = digits(`${side} year`, 4)
    const [month, day] = [digits(`${side} month`, 2), digits(`${side} day`, 2)]
    const hour = isDaily ? zero : digits(`${side} hour`, 2)
    const minute = isDaily || interval === 'hour' ? zero : digits(`${side} minute`, 2)
    const instant = [...year, '-', ...month, '-', ...day, 'T', ...hour, ':', ...minute, ...':00+00:00']
    return { year, month, day, hour, minute, second: zero, instant }
  }
  const { instant, ...parts } = timeOf('end')
  return new Map([
    ...Object.entries(parts),
    ['data_interval_start', timeOf('start').instant],
    ['data_interval_end', instant],
    ['table', [...model]],
  ])
}

/** Returns whether some values of the symbols make both texts equal. */
function canBeEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  const known = new Map<string, string>()
  const resolve = (character: string): string => {
    const value = known.get(character)
    return value === undefined ? character : resolve(value)
  }
  return one.every((character, index) => {
    const [a, b] = [resolve(character), resolve(other[index] ?? '')]
    if (a === b) return true
    const [symbol, value] = isDigit(a) ? [a, b] : [b, a]
    if (!isDigit(symbol) || !(isDigit(value) || possibleDigits(symbol).includes(value))) return false
    known.set(symbol, value)
    return true
  })
}

/** Returns the digits that a symbol can stand for. */
function possibleDigits(symbol: string): string {
  const first: Record<string, string> = {
    year: '12',
    month: '01',
    day: '0123',
    hour: '012',
    minute: '012345',
  }
  const [, part = '', index] = symbol.split(' ')
  return index === '0' ? (first[part] ?? '') : '0123456789'
}
