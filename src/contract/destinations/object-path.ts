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

/** Returns why a destination of this type cannot have a file with this key, or null. */
export function keyProblem(type: DestinationType, key: string): string | null {
  const names = plainPath(key).split('/')
  if (type === 'S3') {
    if (names.includes('..')) return 'Many stores reject names that contain “..”.'
    if (bytesOf(key) > keyBytesMax) return 'object keys have at most 1,024 bytes'
  } else {
    if (key.split(/[\\/]/).includes('..')) return 'it leads out of the exports folder'
    if (/[\0\\]/.test(key)) return 'it contains a backslash; separate folders with /'
    if (names[0] === partialFolder) return `“${partialFolder}” is the folder of unfinished files`
  }
  const isLong = names.some((name) => bytesOf(name) > nameBytesMax)
  return isLong ? `names between slashes have at most ${nameBytesMax} bytes` : null
}

/** Returns why a destination with this path or prefix could not be written, or null. */
export function pathProblem(type: DestinationType, path: string, includesBlocks: boolean): string | null {
  const name = 'x'.repeat(includesBlocks ? recordingBytesMax : fileBytesMax)
  return keyProblem(type, plainPath(`${fillVariables(path, longestValues)}/${name}`))
}
