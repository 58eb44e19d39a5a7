import { createHash } from 'node:crypto'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { objectHash } from '../../../contract/runs/ledger.ts'
import { forgetArrivals } from '../../testing/test-clock.ts'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  events,
  folder,
  insertOnce,
  intact,
  jobs,
  openTestExports,
  read,
  verified,
  written,
} from '../../testing/test-exports.ts'
import { verifyWindow } from './verify-window.ts'

beforeAll(() => openTestExports())
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

test('the checksums of a file and of a manifest are SHA-256', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'proof-checksum', max_file_size_mb: 1 })
  const { objects } = await written(row)
  expect(objects.map(({ holds }) => holds)).toEqual(['rows', 'manifest'])
  for (const { key, checksum } of objects) expect(checksum).toBe(sha256(await read('File', key)))
})

test('a forged file with the size, CRC-32 and identity of the rows is found out', async () => {
  await insertOnce()
  const row = await createFileExport({ path: 'forged' })
  const window = await written(row)
  const key = window.objects[0]?.key ?? ''
  const original = await read('File', key)
  const forged = withCrcOf(original, Buffer.from(original.toString().replace('"a":1', '"a":9')), 'properties')
  expect(forged.equals(original)).toBe(false)
  await writeFile(join(folder, key), forged)
  expect(await verified(row, window)).toMatchObject({
    ...intact,
    objects_found: 'changed',
    rows_read: events.length,
  })
  // A version that recorded CRC-32s cannot notice it, which its entry shows.
  const [object] = window.objects
  if (!object) throw new Error('no object')
  const checksum = `crc32:${crc32(original).toString(16).padStart(8, '0')}`
  const earlier = { ...window, objects: [{ ...object, checksum }] }
  expect(objectHash({ checksum })).toBe('crc32')
  expect(await verified(row, earlier)).toMatchObject(intact)
  const { objects } = await verifyWindow(jobs.services, row, earlier)
  expect(objects.map(objectHash)).toEqual(['crc32_sha256_read'])
})

test('the first verification of an object in a bucket records the SHA-256 that later ones compare', async () => {
  await insertOnce()
  const row = await createS3Export({ prefix: 'hashed' })
  const window = await written(row)
  const [object] = window.objects
  expect(object && objectHash(object)).toBe('etag')
  const { objects } = await verifyWindow(jobs.services, row, window)
  expect(objects).toEqual([{ ...object, checksum_read: sha256(await read('S3', object?.key ?? '')) }])
  expect(objects.map(objectHash)).toEqual(['sha256_read'])
  const later = { ...window, objects }
  expect(await verifyWindow(jobs.services, row, later)).toMatchObject({ objects_found: 'intact', objects })
  // The store's ETag no longer counts.
  const copied = { ...window, objects: objects.map((each) => ({ ...each, checksum: 'etag:x' })) }
  expect(await verified(row, copied)).toMatchObject(intact)
  const other = {
    ...window,
    objects: objects.map((each) => ({ ...each, checksum_read: sha256(Buffer.from('x')) })),
  }
  expect(await verified(row, other)).toMatchObject({ ...intact, objects_found: 'changed' })
})

function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/**
 * Flips the case of letters in `forged`, behind the first `from`, until it has the CRC-32 of `original`. The CRC-32 is linear: each
 * flip changes it by a constant, so elimination over these constants finds the letters.
 */
function withCrcOf(original: Buffer, forged: Buffer, from: string): Buffer {
  const difference = (at: number) => {
    const flipped = Buffer.from(forged)
    flipped[at] = (flipped[at] ?? 0) ^ 0x20
    return (crc32(flipped) ^ crc32(forged)) >>> 0
  }
  const reduced = new Map<number, { value: number; flips: Set<number> }>()
  const reduce = (value: number, flips: Set<number>) => {
    for (let bit = 31; bit >= 0 && value !== 0; bit -= 1) {
      const basis = reduced.get(bit)
      if (((value >>> bit) & 1) === 0) continue
      if (!basis) return { bit, value, flips }
      value = (value ^ basis.value) >>> 0
      flips = flips.symmetricDifference(basis.flips)
    }
    return { bit: -1, value, flips }
  }
  const text = forged.toString('latin1')
  for (const { index } of text.matchAll(/[a-z](?=[a-z ]*\\?")/g)) {
    if (reduced.size === 32) break
    const inProperties = text.lastIndexOf(`"${from}"`, index) > text.lastIndexOf('\n', index) && index > 0
    if (!inProperties) continue
    const left = reduce(difference(index), new Set([index]))
    if (left.bit >= 0) reduced.set(left.bit, left)
  }
  const { value, flips } = reduce((crc32(original) ^ crc32(forged)) >>> 0, new Set())
  if (value !== 0) throw new Error('too few letters')
  const result = Buffer.from(forged)
  for (const at of flips) result[at] = (result[at] ?? 0) ^ 0x20
  expect(crc32(result)).toBe(crc32(original))
  return result
}

test.each(['File', 'S3'] as const)(
  'finds out what happened to the files of a %s destination',
  async (type) => {
    await insertOnce()
    const path = `harmed-${type}`
    const row = await (type === 'File' ? createFileExport({ path }) : createS3Export({ prefix: path }))
    const window = await written(row)
    const key = window.objects[0]?.key ?? ''
    const gone = {
      ...window,
      objects: window.objects.map((object) => ({ ...object, key: `${object.key}x` })),
    }
    expect(await verified(row, gone)).toMatchObject({ objects_found: 'gone', rows_read: null, problem: null })
    const others = { ...window, objects: window.objects.map((object) => ({ ...object, checksum: 'x' })) }
    expect(await verified(row, others)).toMatchObject({ ...intact, objects_found: 'changed' })
    if (type === 'S3') return
    const text = (await read('File', key)).toString()
    await writeFile(join(folder, key), text.replace('"plain"', '"other"'))
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: events.length,
      equal: false,
    })
    await truncate(join(folder, key), text.indexOf('\n') + 1)
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: 1,
      equal: false,
    })
    await writeFile(join(folder, key), 'not JSON')
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: null,
      problem: expect.stringMatching(/./),
    })
  },
)

test.each([{ file_format: 'Parquet' }, { compression: 'gzip' }])(
  'a file with %j that was cut counts as changed although it cannot be read',
  async (layout) => {
    await insertOnce()
    const row = await createFileExport({ path: 'cut', ...layout })
    const window = await written(row)
    await truncate(join(folder, window.objects[0]?.key ?? ''), 20)
    expect(await verified(row, window)).toMatchObject({
      objects_found: 'changed',
      rows_read: null,
      problem: expect.stringMatching(/could not be read back/),
    })
  },
)
