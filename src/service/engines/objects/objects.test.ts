import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openObjects } from './open-objects.ts'

let server: S3rver
let endpoint: string

beforeAll(async () => {
  const directory = await mkdtemp(join(inject('testFolder'), 's3-'))
  const configureBuckets = [{ name: 'bucket', configs: [] }]
  server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets })
  endpoint = encodeURIComponent(`http://127.0.0.1:${(await server.run()).port}`)
})
afterAll(() => server.close())

const inFolder = async () => {
  const path = await mkdtemp(join(inject('testFolder'), 'objects-'))
  return await openObjects(readConfig({}), { path, release: async () => undefined })
}
let prefixes = 0
const inBucket = () => bucket('bucket', `/prefix-${prefixes++}`)
const bucket = async (name: string, prefix = '') =>
  await openObjects(
    readConfig({ SPOOL_OBJECTS_URL: `s3://S3RVER:S3RVER@${name}${prefix}?endpoint=${endpoint}` }),
    null,
  )

describe.each([
  ['in a folder', inFolder],
  ['in a bucket', inBucket],
])('objects %s', (_, open) => {
  test('are read byte for byte, until they are replaced or deleted', async () => {
    const objects = await open()
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
    await objects.put('a/b.bin', bytes)
    expect(await objects.get('a/b.bin')).toEqual(Buffer.from(bytes))
    await objects.put('a/b.bin', Buffer.from('short'))
    expect(String(await objects.get('a/b.bin'))).toBe('short')
    await objects.put('a/empty', new Uint8Array())
    expect(await objects.get('a/empty')).toEqual(Buffer.alloc(0))
    await objects.delete('a/b.bin')
    await objects.delete('a/b.bin')
    expect(await objects.get('a/b.bin')).toBeNull()
  })

  test('are listed by key prefix, sorted', async () => {
    const objects = await open()
    const keys = ['team-1/s-1/0', 'team-1/s-1/1', 'team-1/s-10/0', 'team-2/s-1/0', 'top']
    for (const key of keys.toReversed()) await objects.put(key, Buffer.from(key))
    expect(await objects.list('')).toEqual(keys)
    expect(await objects.list('team-1/')).toEqual(keys.slice(0, 3))
    expect(await objects.list('team-1/s-1/')).toEqual(keys.slice(0, 2))
    expect(await objects.list('team-1/s-1')).toEqual(keys.slice(0, 3))
    expect(await objects.list('none/')).toEqual([])
  })

  test('of one store are not visible in another', async () => {
    const [one, two] = [await open(), await open()]
    await one.put('a', Buffer.from('a'))
    expect(await two.list('')).toEqual([])
    expect(await two.get('a')).toBeNull()
  })

  test.each(['../a', 'a/../../b', '/a', 'a//b', 'a/', '', '.', 'a/.hidden', 'a\0b', 'a\\b', 'x'.repeat(300)])(
    'reject the key %j',
    async (key) => {
      const objects = await open()
      await expect(objects.put(key, Buffer.from('x'))).rejects.toThrow('cannot be the key')
      await expect(objects.get(key)).rejects.toThrow('cannot be the key')
      await expect(objects.delete(key)).rejects.toThrow('cannot be the key')
    },
  )

  test.each(['../', '../../etc/', '/', 'a/../'])('reject the prefix %j', async (prefix) => {
    await expect((await open()).list(prefix)).rejects.toThrow('cannot be')
  })
})

test('an object in a folder is either complete or absent', async () => {
  const path = await mkdtemp(join(inject('testFolder'), 'objects-'))
  const objects = await openObjects(readConfig({}), { path, release: async () => undefined })
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(100_000))
  await Promise.all(texts.map((text) => objects.put('a/one', Buffer.from(text))))
  expect(texts).toContain(await readFile(join(path, 'objects', 'a', 'one'), 'utf8'))
  expect(await readdir(join(path, 'objects', 'a'))).toEqual(['one'])
  await writeFile(join(path, 'objects', 'a', '.unfinished'), 'x')
  expect(await objects.list('')).toEqual(['a/one'])
})

test('a missing bucket is rejected with a one-sentence error', async () => {
  await expect(bucket('missing')).rejects.toThrow(
    /^The bucket "missing" \(SPOOL_OBJECTS_URL\) cannot be used: The specified bucket does not exist\.$/,
  )
  const closed = 's3://k:hunter2@bucket?endpoint=http%3A%2F%2F127.0.0.1%3A1'
  await expect(openObjects(readConfig({ SPOOL_OBJECTS_URL: closed }), null)).rejects.toThrow(
    /^The bucket "bucket" \(SPOOL_OBJECTS_URL\) cannot be used: connect ECONNREFUSED 127.0.0.1:1\.$/,
  )
})
