import { createHash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Above this, a byte would make the first letters of the alphabet likelier than the last. */
const fairBytes = 256 - (256 % alphabet.length)

/** A new personal API key: 43 letters and digits hold more than 256 bits. */
export function newApiKey(): string {
  return `phx_${randomText(43)}`
}

/** A new project token, which events are sent with; it is no secret. */
export function newProjectToken(): string {
  return `phc_${randomText(43)}`
}

/** How a key is stored. Keys are random, so a plain hash cannot be searched backwards. */
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
