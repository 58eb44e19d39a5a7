import { expect, test } from 'vitest'
import { base32, timeStepOfCode, totpCode, totpUrl } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test('codes are those of RFC 6238, appendix B', () => {
  const vectors = { 59: '94287082', 1111111109: '07081804', 1234567890: '89005924', 20000000000: '65353130' }
  for (const [seconds, code] of Object.entries(vectors))
    expect(totpCode(secret, Math.floor(Number(seconds) / 30), 8)).toBe(code)
  expect(totpCode(secret, 37037036)).toBe('081804')
})

test('a code is right one step before and after its own, not two, however it is typed', () => {
  const start = 37037036 * 30_000
  const found = [-60_001, -30_001, -30_000, 0, 59_999, 60_000].map((offset) =>
    timeStepOfCode(secret, '081804', start + offset),
  )
  expect(found).toEqual([null, null, 37037036, 37037036, 37037036, null])
  expect(timeStepOfCode(secret, ' 081-804 ', start)).toBe(37037036)
  for (const code of ['', '81804', '0818040', '081805', '٠٨١٨٠٤', '0x081804'])
    expect(timeStepOfCode(secret, code, start)).toBeNull()
})

test('apps take the secret in base32 from a URL that names the account', () => {
  expect(base32(Buffer.from('foobar1234'))).toBe('MZXW6YTBOIYTEMZU')
  expect(totpUrl('ABC', 'ada+1@people.example')).toBe(
    'otpauth://totp/Spool:ada%2B1%40people.example?secret=ABC&issuer=Spool&algorithm=SHA1&digits=6&period=30',
  )
})
