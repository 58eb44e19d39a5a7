import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { diskSpace } from './health.ts'

test('a disk with less free space than PostgreSQL may need is reported, with both sizes', async () => {
  expect(await diskSpace(tmpdir(), 2 ** 60)).toEqual({
    status: 'unavailable',
    detail: expect.stringMatching(
      /^The disk of the data directory has \d+ MB free; 1099511627776 MB are needed\.$/,
    ),
  })
  expect(await diskSpace(tmpdir(), 1)).toEqual({ status: 'ok' })
  expect(await diskSpace('/no/such/folder')).toEqual({ status: 'ok' })
})
