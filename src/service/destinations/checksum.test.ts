import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flush } from '../engines/durable.ts'
import { fileChecksum, growingFileChecksum, textChecksum } from './checksum.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a file that grows while it is hashed has the checksum of all its bytes', async () => {
  const place = join(folder, 'grows')
  const complete = new AbortController()
  const checksum = growingFileChecksum(place, complete.signal)
  for (let part = 0; part < 100; part += 1) {
    await appendFile(place, randomBytes(300_000 + part))
    await flush(place)
  }
  complete.abort()
  expect(await checksum).toBe(await fileChecksum(place))
})

test('a file that is complete before the first look is hashed whole; a file never created counts as empty', async () => {
  const place = join(folder, 'complete')
  await appendFile(place, 'rows')
  expect(await growingFileChecksum(place, AbortSignal.abort())).toBe(textChecksum('rows'))
  expect(await growingFileChecksum(join(folder, 'missing'), AbortSignal.abort())).toBe(textChecksum(''))
})
