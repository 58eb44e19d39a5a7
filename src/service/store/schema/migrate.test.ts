import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { openStore, type Store } from './database.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'

const base = readMigrations()
const later = {
  number: 1000,
  statements: `CREATE TABLE later (); INSERT INTO installation VALUES ('later', '')`,
}
let engines: TestEngines
let store: Store

beforeAll(async () => {
  engines = await testEngines('empty')
  store = openStore(engines.postgres.pool)
})
beforeEach(async () => {
  await engines.postgres.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
})
afterAll(() => engines.cleanup())

const applied = async () => {
  const { rows } = await engines.postgres.pool.query<{ number: number }>(
    'SELECT number FROM migrations ORDER BY number',
  )
  return rows.map((row) => row.number)
}

test('later migrations are applied once, also by processes that start at once', async () => {
  const known = base.map(({ number }) => number)
  await Promise.all([migrate(store), migrate(store)])
  expect(await applied()).toEqual(known)
  await Promise.all([migrate(store, [...base, later]), migrate(store, [...base, later])])
  expect(await applied()).toEqual([...known, 1000])
})

test('a migration added later with a lower number than the latest is applied', async () => {
  await migrate(store, [...base, { number: 1001, statements: '' }])
  await migrate(store, [...base, later, { number: 1001, statements: '' }])
  expect(await applied()).toEqual([...base.map(({ number }) => number), 1000, 1001])
  expect(await store.selectFrom('installation').select('name').execute()).toEqual([{ name: 'later' }])
})

test('an older database notes from when on session_entries has all entries; a new one has them all', async () => {
  const noted = () => store.selectFrom('installation').selectAll().execute()
  await migrate(store)
  expect(await noted()).toEqual([])
  await engines.postgres.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await migrate(
    store,
    base.filter(({ number }) => number < 130),
  )
  await migrate(store)
  const [since] = await noted()
  expect(since?.name).toBe('session_entries_since')
  const tomorrow = Date.now() + 86_400_000
  expect(Math.abs(Number(since?.value) - tomorrow)).toBeLessThan(600_000)
})

test('no table, column, index or constraint calls a recording a visit', async () => {
  await migrate(store)
  const { rows } = await engines.postgres.pool.query(
    `SELECT name FROM (SELECT relname AS name FROM pg_class UNION ALL SELECT column_name FROM information_schema.columns
      UNION ALL SELECT conname FROM pg_constraint UNION ALL SELECT description FROM pg_description) AS used
    WHERE name ~ 'visit(?!or)'`,
  )
  expect(rows).toEqual([])
})

test('a migration that fails leaves the database as it was', async () => {
  await migrate(store)
  const failing = { number: 1001, statements: 'CREATE TABLE half (); SELECT 1 / 0' }
  await expect(migrate(store, [...base, later, failing])).rejects.toThrow('division by zero')
  expect(await applied()).toEqual(base.map(({ number }) => number))
  expect(await store.selectFrom('installation').selectAll().execute()).toEqual([])
})

test('a database with an unknown migration is refused in one sentence', async () => {
  await migrate(store, [...base, later])
  const even = { number: 1001, statements: 'CREATE TABLE even_later (id integer)' }
  for (const migrations of [base, [...base, even]])
    await expect(migrate(store, migrations)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /^The database was last used by a newer version of Spool \(its schema includes migration 1000, which this version does not know\): [^.]*\.$/,
      ),
    })
})

test('a database from before the base schema is refused in one sentence that says what to do', async () => {
  await engines.postgres.pool.query(
    'CREATE TABLE migrations (number integer PRIMARY KEY); INSERT INTO migrations SELECT generate_series(1, 51)',
  )
  await expect(migrate(store)).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(
      /^The database [^.]* \(its schema has number 51, this version reads those from 100 on\): start that version again, or start this one with a new data directory [^.]*\.$/,
    ),
  })
  expect(await applied()).toHaveLength(51)
})
