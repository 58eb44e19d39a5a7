import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** Time steps by which a clock may be early or late. */
const tolerance = 1

/** Returns the code of a time step (RFC 6238, with SHA-1). */
export function totpCode(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** length
  return String(number).padStart(length, '0')
}

/** Returns the time step of a code that is right at `now` (ms), or null. */
export function timeStepOfCode(secret: Uint8Array, code: string, now: number): number | null {
  const given = Buffer.from(code.replaceAll(/[\s-]/g, ''))
  const current = timeStepAt(now)
  let found: number | null = null
  for (let step = current - tolerance; step <= current + tolerance; step++) {
    const right = Buffer.from(totpCode(secret, step))
    if (given.length === right.length && timingSafeEqual(given, right)) found = step
  }
  return found
}

export function timeStepAt(now: number): number {
  return Math.floor(now / stepMs)
}

/** Returns the URL from which authenticator apps take a secret, in base32. */
export function totpUrl(secret: string, account: string): string {
  const issuer = 'Spool'
  const search = new URLSearchParams({
    secret,
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: '30',
  })
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${search.toString()}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes, whose number is a multiple of five, in base32 (RFC 4648). */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}
