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

/** Longest name (bytes) of a recording in its folder, without `.json.zst`. */
export const recordingNameBytesMax = 108

/** Longest names (bytes) that a run adds to a prefix: of a temporary object, and of a recording with its folder. */
const fileBytesMax = 90
const recordingBytesMax =
  '2026-12-31T23:59:59+00:00-2026-12-31T23:59:59+00:00_recordings/.json.zst'.length + recordingNameBytesMax

/**
 * Returns the longest key of a file below a path or prefix. Only new destinations are checked by it: exports from before keep a
 * path that can be written somewhere.
 */
export function longestKey(path: string, includesBlocks: boolean): string {
  const name = 'x'.repeat(includesBlocks ? recordingBytesMax : fileBytesMax)
  return plainPath(`${fillVariables(path, longestValues)}/${name}`)
}

/** Longest name (bytes) in a folder; many S3-compatible stores keep objects in folders too. */
const nameBytesMax = 255

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Returns why folders cannot contain the names of a key, or null. */
export function longNameProblem(key: string): string | null {
  const isLong = key.split('/').some((name) => bytesOf(name) > nameBytesMax)
  return isLong ? `names between slashes have at most ${nameBytesMax} bytes` : null
}

/** Returns a warning about variables that stay as they are, or null. */
export function variableWarning(text: string): string | null {
  const named = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const variables = Object.keys(longestValues)
  const unknown = named.find((name) => !variables.includes(name))
  const known = `The variables are ${variables.map((name) => `{${name}}`).join(', ')}.`
  if (unknown !== undefined) return `{${unknown}} is not a variable and stays as it is. ${known}`
  const unpaired = /[{}]/.exec(text.replaceAll(/\{[^{}]*\}/g, ''))?.[0]
  if (unpaired === undefined) return null
  return `${unpaired === '{' ? 'A variable is not closed with }' : 'There is a } without {'}, so it stays as it is. ${known}`
}
