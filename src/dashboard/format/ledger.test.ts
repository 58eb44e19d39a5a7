import { expect, test } from 'vitest'
import { checksumInWords, ledgerInWords } from './ledger.ts'

test('a period is described in one sentence', () => {
  expect(ledgerInWords({ windows: 720, states: { proven: 720 }, flags: {} })).toBe(
    '720 of 720 windows proven',
  )
  expect(
    ledgerInWords({
      windows: 1200,
      states: { proven: 1197, refuted: 1, missing: 2 },
      flags: { changed: 1, unusual: 3 },
    }),
  ).toBe(
    '1,197 of 1,200 windows proven, 1 changed at the destination, 3 with an unusual number of rows, 2 not delivered',
  )
  expect(ledgerInWords({ windows: 1, states: { unverified: 1 }, flags: {} })).toBe(
    '0 of 1 window proven, 1 not verified yet',
  )
})

test('the checksum of an object names the one from before its first verification', () => {
  const object = { key: 'a', bytes: 1, checksum: 'crc32:00000000', holds: 'rows' as const }
  expect(checksumInWords(object)).toBe('crc32:00000000')
  expect(checksumInWords({ ...object, checksum_read: 'sha256:ff' })).toBe(
    'crc32:00000000, since the first verification sha256:ff',
  )
})
