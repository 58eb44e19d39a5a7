import { randomBytes } from 'node:crypto'

let latest = { time: 0, sequence: 0 }

/** Returns a version 7 UUID. Ids that this process creates later sort later, even within a millisecond. */
export function newId(now: number): string {
  const time = Math.max(now, latest.time)
  const sequence = time === latest.time ? latest.sequence + 1 : randomBytes(1).readUInt8()
  latest = sequence > 0xfff ? { time: time + 1, sequence: 0 } : { time, sequence }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(latest.time, 0, 6)
  bytes.writeUInt16BE(0x7000 | latest.sequence, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
