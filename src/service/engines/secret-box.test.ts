import fc from 'fast-check'
import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openSecretBox } from './secret-box.ts'

const withKey = (key: string) => openSecretBox(readConfig({ SPOOL_SECRET_KEY: key }), null)
const key = 'correct horse battery staple 1234'

describe('a secret box', () => {
  test('opens the secrets it sealed, even after a restart', async () => {
    const [box, later] = [await withKey(key), await withKey(key)]
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (plain) => later.open(box.seal(plain)) === plain))
  })

  test('seals the same secret differently each time, and never readably', async () => {
    const box = await withKey(key)
    expect(box.seal('secret')).not.toEqual(box.seal('secret'))
    expect(box.seal('secret').includes('secret')).toBe(false)
  })

  test('derives the same token from the same name and key', async () => {
    const [box, later, other] = [await withKey(key), await withKey(key), await withKey(`${key}5`)]
    expect(box.token('a 1')).toMatch(/^[\w-]{43}$/)
    expect(later.token('a 1')).toBe(box.token('a 1'))
    expect(new Set([box.token('a 1'), box.token('a 2'), other.token('a 1')]).size).toBe(3)
  })

  test('rejects a sealed secret that was changed or cut anywhere', async () => {
    const box = await withKey(key)
    const sealed = box.seal('secret')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      expect(() => box.open(changed)).toThrow()
      expect(() => box.open(sealed.subarray(0, index))).toThrow()
    }
  })

  test('rejects a secret sealed with another key, and says what to check', async () => {
    const sealed = (await withKey(key)).seal('secret')
    const other = await withKey(`${key}5`)
    expect(() => other.open(sealed)).toThrow(/sealed with another key.*SPOOL_SECRET_KEY/)
  })

  test('stores a random key, readable by its owner only, when no key is configured', async () => {
    const [one, two] = await Promise.all([folder(), folder()])
    const boxes = await Promise.all(Array.from({ length: 5 }, () => openSecretBox(readConfig({}), one)))
    const [box = await withKey(key)] = boxes
    for (const other of boxes) expect(other.open(box.seal('secret'))).toBe('secret')
    expect((await stat(join(one.path, 'secret-key'))).mode & 0o777).toBe(0o600)
    expect((await openSecretBox(readConfig({}), one)).open(box.seal('secret'))).toBe('secret')
    const other = await openSecretBox(readConfig({}), two)
    expect(() => other.open(box.seal('secret'))).toThrow()
  })
})

async function folder() {
  return { path: await mkdtemp(join(inject('testFolder'), 'secrets-')), release: async () => undefined }
}
