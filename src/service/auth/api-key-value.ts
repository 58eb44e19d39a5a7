import { createHash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from this value up are skipped: they would make the first letters of the alphabet likelier than the others. */
const fairBytes = 256 - (256 % alphabet.length)

/** Generates a personal API key: 43 letters and digits, more than 256 bits. */
export function newApiKey(): string {
  return `phx_${randomText(43)}`
}

/** Generates a project token, which clients send with events; it is not secret. */
export function newProjectToken(): string {
  return `phc_${randomText(43)}`
}

/** Hashes a key for storage. Keys are random, so a plain hash without salt cannot be reversed. */
export function hashApiKey(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fairBytes && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}
