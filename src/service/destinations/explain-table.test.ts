import { expect, test } from 'vitest'
import { failureCause, type FailureClass } from '../../contract/runs/failure-cause.ts'
import { clickhouseDriver } from './clickhouse/clickhouse-driver.ts'
import type { DestinationType } from '../../contract/destinations/destination.ts'
import { explainError } from './explain-error.ts'
import { mysqlDriver } from './mysql/mysql-driver.ts'
import { postgresDriver } from './postgres/postgres-driver.ts'

const server = { host: 'db.example.com', user: 'spool', password: 'very secret', database: 'shop' }
const drivers = {
  Postgres: postgresDriver.open(server),
  MySQL: mysqlDriver.open(server),
  ClickHouse: clickhouseDriver.open(server),
} satisfies Partial<Record<DestinationType, unknown>>

type Case = [code: string, permanent: boolean, expected: FailureClass, text: string]

const cases: Record<keyof typeof drivers, Case[]> = {
  Postgres: [
    ['28P01', true, 'credentials', 'does not accept the user and password'],
    ['3D000', true, 'destination', 'There is no database "shop" at db.example.com:5432'],
    ['3F000', true, 'destination', 'The schema does not exist'],
    ['42501', true, 'permission', 'was denied'],
    ['22P02', true, 'destination', 'cannot store a value'],
    ['23505', true, 'destination', 'A constraint of the table'],
    ['53100', false, 'store', 'The disk of the database is full'],
    ['53300', false, 'store', 'too many connections'],
    ['40P01', false, 'store', 'Another session holds the table'],
    ['57P01', false, 'network', 'was lost'],
    ['ENOTFOUND', false, 'network', 'was not found'],
  ],
  MySQL: [
    ['ER_ACCESS_DENIED_ERROR', true, 'credentials', 'does not accept the user and password'],
    ['ER_DBACCESS_DENIED_ERROR', true, 'destination', 'There is no database "shop" at db.example.com:3306'],
    ['ER_NOT_ALLOWED_COMMAND', true, 'permission', 'set local_infile = ON there'],
    ['ER_CLIENT_LOCAL_FILES_DISABLED', true, 'permission', 'set local_infile = ON there'],
    ['ER_TABLEACCESS_DENIED_ERROR', true, 'permission', 'was denied'],
    ['ER_LOADED_WITH_WARNINGS', true, 'destination', 'cannot store a value'],
    ['ER_DUP_ENTRY', true, 'destination', 'A constraint of the table'],
    ['ER_DISK_FULL', false, 'store', 'The disk of the database is full'],
    ['ER_CON_COUNT_ERROR', false, 'store', 'too many connections'],
    ['ER_LOCK_DEADLOCK', false, 'store', 'Another session holds the table'],
    ['PROTOCOL_CONNECTION_LOST', false, 'network', 'was lost'],
    ['HANDSHAKE_NO_SSL_SUPPORT', true, 'network', 'does not support TLS'],
    ['ER_TOO_BIG_ROWSIZE', true, 'destination', 'does not fit the exported rows'],
  ],
  ClickHouse: [
    ['REMOTE_AUTHENTICATION_FAILED', true, 'credentials', 'does not accept the user and password'],
    ['REMOTE_UNKNOWN_SETTING', true, 'store', 'update it to ClickHouse 24.4 or later'],
    ['REMOTE_UNKNOWN_DATABASE', true, 'destination', 'There is no database "shop" at db.example.com:8443'],
    ['REMOTE_ACCESS_DENIED', true, 'permission', 'was denied'],
    ['REMOTE_CANNOT_PARSE_TEXT', true, 'destination', 'cannot store a value'],
    ['REMOTE_UNKNOWN_TABLE', true, 'destination', 'does not fit the exported rows'],
    ['REMOTE_NOT_ENOUGH_SPACE', false, 'store', 'The disk of the database is full'],
    ['REMOTE_TOO_MANY_PARTS', false, 'store', 'too much work'],
    ['REMOTE_HTTP_302', true, 'network', 'redirects'],
    ['REMOTE_HTTP_503', false, 'store', 'is not available at the moment'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', true, 'network', 'No secure connection'],
    ['ECONNRESET', false, 'network', 'was lost'],
    ['ECONNREFUSED', false, 'network', 'refused the connection'],
  ],
}

test.each(
  Object.entries(drivers).flatMap(([type, { explained }]) =>
    cases[type as keyof typeof drivers].map((each) => ({ type: type as DestinationType, explained, each })),
  ),
)('$type: $each.0', ({ type, explained, each: [code, permanent, expected, text] }) => {
  const plain = code === 'DEPTH_ZERO_SELF_SIGNED_CERT' ? 'self-signed certificate' : 'very secret'
  const error = Object.assign(new Error(plain), { code })
  const found = explainError(error, { ...explained, hasQuery: true })
  expect(found.message).toContain(text)
  expect(found.message).not.toContain('very secret')
  expect(found.permanent).toBe(permanent)
  const place = { type, config: { host: server.host, database: server.database } }
  expect(failureCause(found.message, place).class).toBe(expected)
})
