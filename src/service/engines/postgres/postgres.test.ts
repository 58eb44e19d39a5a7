import fc from 'fast-check'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openPostgres } from './postgres.ts'
import { StartupError } from '../../startup-error.ts'
import { textArray } from './text-array.ts'

const serverUrl = inject('testServerUrl')
const silent = createServer()

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void silent.close())

describe('DATABASE_URL', () => {
  test('is connected to, and its server keeps running afterwards', async () => {
    for (let round = 0; round < 2; round++) {
      const postgres = await open(serverUrl)
      expect((await postgres.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      await postgres.stop()
    }
  })

  test('reads arrays of any texts unchanged, also of none', async () => {
    const postgres = await open(serverUrl)
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (texts) => {
        const { rows } = await postgres.pool.query('SELECT $1::text[] AS texts', [textArray(texts)])
        expect(rows).toEqual([{ texts: texts.map((each) => each.toWellFormed()) }])
      }),
      { numRuns: 30 },
    )
    await postgres.stop()
  })

  test('without a server fails with a one-sentence error', async () => {
    await expect(open('postgres://u:secret@127.0.0.1:1/d')).rejects.toThrow(
      new StartupError(
        'PostgreSQL at 127.0.0.1:1/d (DATABASE_URL) cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
      ),
    )
  })

  test('with a host of several unreachable addresses fails with a one-sentence error', async () => {
    await expect(open('postgres://u:secret@localhost:1/d')).rejects.toThrow(
      /^PostgreSQL at localhost:1\/d \(DATABASE_URL\) cannot be used: connect ECONNREFUSED .*:1\.$/,
    )
  })

  test('with a wrong password or a missing database fails without revealing the password', async () => {
    const wrong = new URL(serverUrl)
    wrong.password = 'secret'
    await expect(open(wrong.href)).rejects.toThrow(
      new StartupError(
        `PostgreSQL at ${wrong.host}/spool (DATABASE_URL) cannot be used: password authentication failed for user "spool".`,
      ),
    )
    const missing = new URL(serverUrl)
    missing.pathname = '/missing'
    await expect(open(missing.href)).rejects.toThrow(
      new StartupError(
        `PostgreSQL at ${wrong.host}/missing (DATABASE_URL) cannot be used: database "missing" does not exist.`,
      ),
    )
  })

  test('of a server that never responds fails at the time limit with a one-sentence error', async () => {
    const { port } = silent.address() as AddressInfo
    const failure = await open(`postgres://u:secret@127.0.0.1:${port}/d`, 200).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(StartupError)
    expect(failure).toHaveProperty(
      'message',
      expect.stringMatching(
        `^PostgreSQL at 127.0.0.1:${port}/d \\(DATABASE_URL\\) cannot be used: .*timeout.*\\.$`,
      ),
    )
  })
})

function open(url: string, limitMs?: number) {
  return openPostgres(readConfig({ DATABASE_URL: url }), null, limitMs === undefined ? {} : { limitMs })
}
