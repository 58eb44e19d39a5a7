import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import {
  mysqlOk,
  mysqlPacket,
  postgresMessage,
  signIn,
  startHostileMysql,
  startHostilePostgres,
  type HostileAnswer,
} from '../../testing/servers/hostile-server.ts'
import { closeTestExports, failure, jobs, openTestExports, start, uuid } from '../../testing/test-exports.ts'

beforeAll(async () => {
  await openTestExports()
  await jobs.insertEvents([{ event: 'one', uuid: uuid(1), timestamp: start }])
})
afterAll(closeTestExports)

type Case = [sent: string, answer: HostileAnswer, message: string]

/** Runs an export to a server, and tests the connection to it; returns the message of the run. */
async function failing(type: DestinationType, { port, close }: { port: number; close(): void }) {
  onTestFinished(close)
  const connection = { host: '127.0.0.1', port, user: 'spool', password: 'secret' }
  const row = await jobs.createExport({
    destination_type: type,
    destination_config: { database: 'warehouse', table_name: 'events' },
    destination_secrets: jobs.services.secrets.seal(JSON.stringify(connection)),
    hogql_query: 'SELECT uuid, event FROM events',
  })
  const { message } = await failure(row)
  const { steps } = await tryDestination(jobs.services, row)
  expect(steps.map(({ status }) => status)).not.toContain(undefined)
  return { message, failed: steps.find(({ status }) => status === 'failed')?.detail }
}

describe('PostgreSQL', () => {
  const column = postgresMessage('T', '\0\x01', 'name\0', '\0'.repeat(18))
  const copyIn = postgresMessage('G', '\0\0\0')
  const denied = postgresMessage('E', 'SERROR\0C42501\0Mnot for you\0\0')
  const ready = postgresMessage('Z', 'I')
  const cases: Case[] = [
    [
      'an unknown way to sign in',
      { text: signIn, bytes: [postgresMessage('R', '\0\0\0\x07')] },
      'Unknown authenticationOk message type 7',
    ],
    ['an error without an end', { text: signIn, bytes: [postgresMessage('E')] }, 'without an end'],
    [
      'an error whose fields have no end',
      { text: signIn, bytes: [postgresMessage('E', 'SFATAL\0')] },
      'without an end',
    ],
    [
      'a message shorter than its head',
      { text: signIn, bytes: [Buffer.from('R\0\0\0\x01')] },
      'malformed message',
    ],
    [
      'a truncated description of rows',
      { text: 'pg_attribute', bytes: [postgresMessage('T', '\0\x05')] },
      'RangeError',
    ],
    [
      'rows without an end',
      { text: 'pg_attribute', bytes: [column, manyOf(postgresMessage('D', '\0\0'))], isEndless: true },
      'answered with more than',
    ],
    [
      'a message without an end',
      {
        text: 'pg_attribute',
        bytes: [Buffer.from('D\x7f\0\0\0'), Buffer.alloc(65_536)],
        isEndless: true,
      },
      'malformed message',
    ],
    ['the end instead of COPY', { text: 'COPY', bytes: [ready] }, 'cb_ReadyForQuery'],
    ['the end during COPY', { text: 'COPY', bytes: [copyIn, ready] }, ''],
    ['a description of rows during COPY', { text: 'COPY', bytes: [copyIn, column] }, 'handleRowDescription'],
    ['a row during COPY', { text: 'COPY', bytes: [copyIn, postgresMessage('D', '\0\0')] }, 'handleDataRow'],
    ['a row instead of COPY', { text: 'COPY', bytes: [postgresMessage('D', '\0\0')] }, 'handleDataRow'],
    ['a refusal before the rows', { text: 'COPY', bytes: [denied, ready] }, 'was denied'],
  ]
  test.for(cases)('a server that sends %s', async ([, answer, message]) => {
    const found = await failing('Postgres', await startHostilePostgres(answer))
    expect(found.message).toContain(message)
    if (answer.text !== 'COPY') expect(found.failed).toContain(message)
  })
})

describe('MySQL', () => {
  const count = mysqlPacket(1, '\x01')
  const column = (type: number) =>
    mysqlPacket(
      2,
      Buffer.from([
        3,
        100,
        101,
        102,
        0,
        0,
        0,
        4,
        110,
        97,
        109,
        101,
        0,
        12,
        45,
        0,
        0,
        0,
        0,
        0,
        type,
        0,
        0,
        0,
        0,
        0,
      ]),
    )
  const end = (sequence: number) => mysqlPacket(sequence, Buffer.from([0xfe, 0, 0, 2, 0]))
  const [text, integer] = [253, 3]
  const columns = 'information_schema.COLUMNS'
  const cases: Case[] = [
    [
      'a malformed error after an OK',
      { text: signIn, bytes: [mysqlPacket(2, mysqlOk), mysqlPacket(3, Buffer.from([0xff]))] },
      'was lost',
    ],
    ['packets out of order', { text: signIn, bytes: [mysqlPacket(9, mysqlOk)] }, 'out of order'],
    [
      'columns without their end',
      { text: columns, bytes: [count, column(text), mysqlPacket(3, '\x01a')] },
      'Expected EOF packet',
    ],
    [
      'a number without an end',
      {
        text: columns,
        bytes: [
          count,
          column(integer),
          end(3),
          mysqlPacket(4, Buffer.from([0xfe, 0, 0, 0, 0, 0, 0, 4, 0])),
          end(5),
        ],
      },
      '',
    ],
    [
      'rows without an end',
      { text: columns, bytes: [count, column(text), end(3), rowsInOrder()], isEndless: true },
      'answered with more than',
    ],
  ]
  test.for(cases)('a server that sends %s', async ([, answer, message]) => {
    const found = await failing('MySQL', await startHostileMysql(answer))
    expect(found.message).toContain(message)
    expect(found.failed).toBeDefined()
  })

  /** Rows, of which the first follows the head of a result. */
  function rowsInOrder(): Buffer {
    return Buffer.concat(Array.from({ length: 4096 }, (_, index) => mysqlPacket((index + 4) % 256, '\x01a')))
  }
})

function manyOf(bytes: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: 4096 }, () => bytes))
}
