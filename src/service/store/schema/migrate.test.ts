import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { openStore } from './database.ts'
import { migrate } from './migrate.ts'

let engines: TestEngines
beforeAll(async () => {
  engines = await testEngines('empty')
})
afterAll(() => engines.cleanup())

test('a version that does not know the schema of the database is refused in one sentence', async () => {
  const store = openStore(engines.postgres.pool)
  await migrate(store)
  await migrate(store)
  await expect(migrate(store, 5)).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(
      /^The database was last used by a newer version of Spool \(its schema has number \d+, this version knows 5\): [^.]*\.$/,
    ),
  })
})
