import { hash } from 'node:crypto'
import { isUuid } from '../../auth/uuid.ts'

const personNamespace = '7f1c9a52-3c5e-5b8e-9d0a-2b6f4e8c1d37'
const uuidNamespace = 'b0d8a3f4-64e1-5a27-8c93-51e7c2f09a6d'

/** Returns the UUID (version 5, of project and distinct id) of a distinct id's person, unless merged into another. */
export function personIdOf(projectId: number, distinctId: string): string {
  return nameUuid(personNamespace, `${projectId}:${distinctId}`)
}

/** Returns the client's UUID, or one derived from its value if that is not a UUID; null if the client sent none. */
export function clientUuid(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  return isUuid(value) ? value.toLowerCase() : uuidOfText(value)
}

/** Derives a UUID from a text; the same text always yields the same UUID. */
export function uuidOfText(text: string): string {
  return nameUuid(uuidNamespace, text)
}

/** Returns ClickHouse SQL that computes `personIdOf`; both arguments are SQL expressions. */
export function personIdSql(projectId: string, distinctId: string): string {
  const name = `concat(toString(${projectId}), ':', ${distinctId})`
  const digest = `hex(SHA1(concat(unhex('${personNamespace.replaceAll('-', '')}'), ${name})))`
  const variant = `substring('89AB', 1 + (reinterpretAsUInt8(unhex(concat('0', substring(${digest}, 17, 1)))) % 4), 1)`
  const parts = [
    `substring(${digest}, 1, 8)`,
    `substring(${digest}, 9, 4)`,
    `concat('5', substring(${digest}, 14, 3))`,
    `concat(${variant}, substring(${digest}, 18, 3))`,
    `substring(${digest}, 21, 12)`,
  ]
  return `toUUID(concat(${parts.join(", '-', ")}))`
}

function nameUuid(namespace: string, name: string): string {
  const text = Buffer.from(name)
  const bytes = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), text])
  const hex = hash('sha1', bytes, 'hex')
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
