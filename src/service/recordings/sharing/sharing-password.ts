import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, Buffer>(scrypt)
const saltLength = 16
const hashLength = 32

/** Hashes a link's password for storage: salt and scrypt hash, as base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength)
  return Buffer.concat([salt, await derive(password, salt, hashLength)]).toString('base64')
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const bytes = Buffer.from(stored, 'base64')
  const hash = await derive(password, bytes.subarray(0, saltLength), hashLength)
  return timingSafeEqual(hash, bytes.subarray(saltLength))
}
