import { ClickHouseError } from '@clickhouse/client'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { expect, test } from 'vitest'
import { downEngine, EngineDown, statementError } from './down-engine.ts'
import { fullDisk } from './full-disk.ts'

const here = { dataDirectory: tmpdir(), databaseUrl: null, clickhouseUrl: null, objectsUrl: null }
const elsewhere = { ...here, databaseUrl: 'x', clickhouseUrl: 'x', objectsUrl: 'x' }

function postgresError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity: 'ERROR' })
}
function clickhouseError(code: string, type: string, message: string): Error {
  return new ClickHouseError({ code, type, message })
}
async function writeError(): Promise<unknown> {
  const file = await open('/dev/full', 'w')
  return await file
    .writeFile('x')
    .catch((error: unknown) => error)
    .finally(() => file.close())
}
const reason = (disk: string) => `The disk of the ${disk} is full: free some space, then try again.`

test.each([
  [postgresError('53100', 'could not extend file "base/1"'), 'PostgreSQL'],
  [postgresError('XX000', 'could not extend file "base/1": Disk quota exceeded'), 'PostgreSQL'],
  [postgresError('58030', 'could not write: No space left on device'), 'PostgreSQL'],
  [clickhouseError('243', 'NOT_ENOUGH_SPACE', 'Cannot reserve 1.00 MiB, not enough space.'), 'ClickHouse'],
  [
    clickhouseError('75', 'CANNOT_WRITE_TO_FILE_DESCRIPTOR', 'errno: 28, strerror: No space left on device'),
    'ClickHouse',
  ],
])('%s means a full disk of %s', async (error, engine) => {
  expect(downEngine(error)).toBe(engine)
  expect(await fullDisk(error, here)).toBe(reason(`data directory (${engine})`))
  expect(await fullDisk(error, elsewhere)).toBe(reason(`${engine} server`))
})

test('a file or an object that does not fit on the disk names that disk', async () => {
  const error = await writeError()
  expect(await fullDisk(error, here)).toBe(reason('data directory (files)'))
  const object = new EngineDown('The object storage', error)
  expect(await fullDisk(object, here)).toBe(reason('data directory (object storage)'))
  expect(await fullDisk(object, elsewhere)).toBe(reason('object storage'))
})

test('shared memory that is full is no disk', async () => {
  const message =
    'could not resize shared memory segment "/PostgreSQL.1" to 8388608 bytes: No space left on device'
  const error = postgresError('53100', message)
  expect([downEngine(error), await fullDisk(error, here)]).toEqual([null, null])
})

test('an error of a query that mentions a full disk does not mean one', async () => {
  const mentioned = 'No space left on device'
  for (const error of [
    postgresError('22P02', `invalid input syntax for type uuid: "${mentioned}"`),
    clickhouseError('62', 'SYNTAX_ERROR', `Syntax error: ${mentioned}`),
    new Error(mentioned),
  ])
    expect([downEngine(error), await fullDisk(error, here)]).toEqual([null, null])
  const query = clickhouseError('47', 'UNKNOWN_IDENTIFIER', mentioned)
  expect(statementError(query)).toBe(query)
  const full = clickhouseError('243', 'NOT_ENOUGH_SPACE', '')
  expect(() => statementError(full)).toThrow(EngineDown)
})
