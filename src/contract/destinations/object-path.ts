import type { DestinationType } from './destination.ts'

/** Folder of unfinished files in the exports folder. */
export const partialFolder = '.partial'

/** Variables of a path or prefix, each with a longest value; times are those of the interval's end in UTC. */
export const longestValues = {
  year: '2026',
  month: '12',
  day: '31',
  hour: '23',
  minute: '59',
  second: '59',
  data_interval_start: '2026-12-31T23:59:59+00:00',
  data_interval_end: '2026-12-31T23:59:59+00:00',
  table: 'recordings',
}

/** Returns a path with the values of its variables; an unknown variable stays as it is. */
export function fillVariables(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (variable, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? variable) : variable,
  )
}

/** Returns a path without its empty names and `.`: `/a//./b/` becomes `a/b`. */
export function plainPath(path: string): string {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')
}

/** Longest name (bytes) in a folder; many S3-compatible stores keep objects in folders too. */
const nameBytesMax = 255
const keyBytesMax = 1024

/** Longest name (bytes) of a recording in its folder, without `.json.zst`. */
export const recordingNameBytesMax = 108

/** Longest names (bytes) that a run adds to a prefix: of a temporary object, and of a recording with its folder. */
const fileBytesMax = 90
const recordingBytesMax =
  '2026-12-31T23:59:59+00:00-2026-12-31T23:59:59+00:00_recordings/.json.zst'.length + recordingNameBytesMax

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** Returns why no file with this key can be written to a destination of this type, or null. */
export function keyProblem(type: DestinationType, key: string): string | null {
  if (type === 'S3') return bytesOf(key) > keyBytesMax ? 'object keys have at most 1,024 bytes' : null
  if (key.split(/[\\/]/).includes('..')) return 'it leads out of the exports folder'
  if (/[\0\\]/.test(key)) return 'it contains a backslash; separate folders with /'
  return longNameProblem(key)
}

function longNameProblem(key: string): string | null {
  const isLong = key.split('/').some((name) => bytesOf(name) > nameBytesMax)
  return isLong ? `names between slashes have at most ${nameBytesMax} bytes` : null
}

const partialFolderProblem = `“${partialFolder}” is the folder of unfinished files`

/**
 * Returns why a new destination cannot have this path or prefix, or null. Exports from before these rules keep a path that can
 * be written somewhere.
 */
export function pathProblem(type: DestinationType, path: string, includesBlocks: boolean): string | null {
  const name = 'x'.repeat(includesBlocks ? recordingBytesMax : fileBytesMax)
  const key = plainPath(`${fillVariables(path, longestValues)}/${name}`)
  const names = key.split('/')
  if (type === 'S3' && names.includes('..')) return 'Many stores reject names that contain “..”.'
  const problem = keyProblem(type, key)
  if (problem !== null) return problem
  return type === 'S3' ? longNameProblem(key) : names[0] === partialFolder ? partialFolderProblem : null
}
