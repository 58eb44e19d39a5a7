/** Reads a position in a recording, such as `16`, `0:16` or `1:02:03`, as seconds; null if the text is no position. */
export function readClock(text: string): number | null {
  const parts = text.trim().split(':')
  if (parts.length > 3 || !parts.every((part, index) => (index === 0 ? /^\d+$/ : /^[0-5]?\d$/).test(part)))
    return null
  return parts.reduce((seconds, part) => seconds * 60 + Number(part), 0)
}
