import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { timeStepAt, totpCode } from '../../auth/factors/totp.ts'

/** What a browser is asked for, in the parts that an authenticator needs. */
type Request = { token: string; options: { challenge: string; user?: { id: string } } }

/** How an answer differs from that of an honest browser and authenticator. */
type Differing = {
  origin?: string
  host?: string
  challenge?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

/** An authenticator in software, with one passkey (ES256, attestation `none`), and the browser that asks it. */
export function testAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  let handle: string | undefined

  const clientData = (type: string, challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const authenticatorData = (differing: Differing, bits: number) => {
    const { host = new URL(origin).hostname, isVerified = true } = differing
    const count = Buffer.alloc(4)
    count.writeUInt32BE(differing.counter ?? ++counter)
    const all = flags.present | (isVerified ? flags.verified : 0) | bits
    return Buffer.concat([sha256(host), Buffer.of(all), count])
  }
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const }

  return {
    id: named.id,
    /** Answers a request for a new passkey. */
    register({ token, options }: Request, differing: Differing = {}) {
      handle = options.user?.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // COSE: key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256).
      const key = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const authData = Buffer.concat([
        authenticatorData(differing, flags.attested),
        Buffer.alloc(16),
        Buffer.of(0, id.length),
        id,
        key,
      ])
      const attestation = new Map<string, string | Buffer | Map<string, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', authData],
      ])
      const { challenge = options.challenge, origin: at = origin } = differing
      const clientDataJSON = clientData('webauthn.create', challenge, at).toString('base64url')
      const response = { clientDataJSON, attestationObject: cbor(attestation).toString('base64url') }
      return { token, credential: { ...named, response } }
    },
    /** Answers a request for a passkey. */
    answer({ token, options }: Request, differing: Differing = {}) {
      const { challenge = options.challenge, origin: at = origin } = differing
      const data = clientData('webauthn.get', challenge, at)
      const authData = authenticatorData(differing, 0)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
      const userHandle = differing.userHandle ?? handle
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle !== undefined && { userHandle }),
      }
      return { token, credential: { ...named, response } }
    },
  }
}

/** Returns the code that an authenticator app shows for a secret in base32 at `now` (ms). */
export function appCode(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))
  return totpCode(Uint8Array.from(bytes), timeStepAt(now))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

type Cbor = number | string | Buffer | ReadonlyMap<string | number, Cbor>

/** Encodes a value in CBOR; lengths stay below 65,536. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)])
  return Buffer.concat([cborHead(5, value.size), ...entries])
}

function cborHead(major: number, length: number): Buffer {
  const type = major << 5
  if (length < 24) return Buffer.of(type | length)
  return length < 256 ? Buffer.of(type | 24, length) : Buffer.of(type | 25, length >> 8, length & 255)
}
