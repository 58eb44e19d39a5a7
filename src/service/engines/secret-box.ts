import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { DataDirectory } from './data-directory.ts'
import { readOrCreateSecret } from './secret-file.ts'

/** Encrypts stored secrets with AES-256-GCM; layout: version (1 byte), nonce (12), tag (16), ciphertext. */
export type SecretBox = {
  /** Derives 256 bits (base64url) from the name; the same name and key always give the same token. */
  token(name: string): string
  /** The Ed25519 key that signs receipts; the same secret always gives the same key. */
  signingKey(): KeyObject
  seal(plain: string): Buffer
  /** @throws when the secret was sealed with another key or has been changed. */
  open(sealed: Uint8Array): string
}

const version = 1
const nonceLength = 12
const tagLength = 16
/** The PKCS #8 structure of an Ed25519 key, before its 32 bytes (RFC 8410). */
const ed25519Header = Buffer.from('302e020100300506032b657004220420', 'hex')
const headerLength = 1 + nonceLength + tagLength

/** Opens a box with the key in SPOOL_SECRET_KEY, or else with a key file in the data directory, created if missing. */
export async function openSecretBox(config: Config, dataDirectory: DataDirectory | null): Promise<SecretBox> {
  if (config.secretKey) return secretBox(config.secretKey)
  if (!dataDirectory) throw new Error('without a data directory the secret box needs SPOOL_SECRET_KEY')
  return secretBox(await readOrCreateSecret(join(dataDirectory.path, 'secret-key')))
}

function secretBox(secret: string): SecretBox {
  const key = deriveKey(secret, 'spool secret box')
  const tokenKey = deriveKey(secret, 'spool tokens')
  return {
    token(name) {
      return createHmac('sha256', tokenKey).update(name).digest('base64url')
    },
    signingKey() {
      const der = Buffer.concat([ed25519Header, deriveKey(secret, 'spool receipts')])
      return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    },
    seal(plain) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), text])
    },
    open(sealed) {
      if (sealed[0] !== version || sealed.length < headerLength)
        throw new Error('This is not a sealed secret.')
      const nonce = sealed.subarray(1, 1 + nonceLength)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
      decipher.setAuthTag(sealed.subarray(1 + nonceLength, headerLength))
      try {
        return decipher.update(sealed.subarray(headerLength), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new Error(
          'The secret was sealed with another key or has been changed: check SPOOL_SECRET_KEY.',
          {
            cause,
          },
        )
      }
    },
  }
}

function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
