const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

/** Parses ISO 8601 into milliseconds since the epoch; `naive` if the text has no offset, which means UTC. Null if invalid. */
export function parseInstant(text: string): { time: number; naive: boolean } | null {
  const match = isoPattern.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const fields = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = fields
  const local = Date.UTC(y, mo - 1, d, h, mi, s) + Math.floor(Number(`0.${fraction || 0}`) * 1000)
  const date = new Date(local)
  const exists = date.getUTCMonth() === mo - 1 && date.getUTCDate() === d && h < 24 && mi < 60 && s < 60
  const offset = offsetMs(zone)
  if (!exists || y < 1 || offset === null) return null
  return { time: local - offset, naive: zone === undefined }
}

function offsetMs(zone: string | undefined): number | null {
  if (zone === undefined || /^z$/i.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Formats milliseconds since the epoch for the API: UTC with `Z`, microseconds, no fraction if it is zero. */
export function formatInstant(time: number | Date): string {
  const text = new Date(time).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}

/** Formats a time (milliseconds since the epoch) for object keys and backfill ids: `2023-01-01T00:00:00+00:00`. */
export function formatOffsetInstant(time: number): string {
  return formatInstant(time).replace('Z', '+00:00')
}
