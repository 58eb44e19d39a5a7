import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { passwordLength } from '../../contract/accounts/password-length.ts'
import { invalidInput, overloaded } from '../problems/api-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** Of Argon2id, as OWASP recommends: memory in KiB. A hash takes about 0.1 s. */
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }
/** Passwords that are hashed or wait at the same time; each takes 20 MB. */
const hashingMax = 8

const derive = promisify(argon2)
let hashing = 0

/** Returns a hash with its salt and costs, in the format that Argon2's own tools use. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derived(password, salt)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

/**
 * Whether a password has a hash. Without a hash it takes as long and the answer is no, so that nobody learns which accounts
 * exist. @throws ApiError 503 while too many are being hashed
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [salt, tag] = (hash ?? unknownHash).split('$').slice(-2)
  const given = await derived(password, Buffer.from(salt ?? '', 'base64'))
  const isSame = timingSafeEqual(given, Buffer.from(tag ?? '', 'base64'))
  return isSame && hash !== null
}

/** @throws ApiError 400 about a password that others would guess; `known` is what they know about its user */
export function assertGoodPassword(
  password: string,
  known: readonly string[],
  path: string[] = ['password'],
): void {
  const { min } = passwordLength
  if (password.length < min) throw invalidInput(`Choose a password of at least ${min} characters.`, path)
  const plain = password.toLowerCase()
  const isGuessed =
    commonPasswords.has(plain) ||
    new Set(plain).size < 5 ||
    known.some((text) => text.length > 2 && plain.replaceAll(text.toLowerCase(), '').length < min / 2)
  if (isGuessed)
    throw invalidInput(
      'This password is easily guessed. Choose another one, such as four random words.',
      path,
    )
}

async function derived(password: string, nonce: Buffer): Promise<Buffer> {
  if (hashing >= hashingMax)
    throw overloaded('Too many people are signing in at the moment. Try again shortly.')
  hashing++
  try {
    return await derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })
  } finally {
    hashing--
  }
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** A hash of no password. */
const unknownHash = `$${encode(Buffer.alloc(16))}$${encode(Buffer.alloc(cost.tagLength))}`
