import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesNamed, visitName } from '../../../contract/recordings/visit-name.ts'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { openStore, type Store } from '../schema/database.ts'
import { migrate } from '../schema/migrate.ts'

let engines: TestEngines
let store: Store
beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
  await migrate(store)
})
afterAll(() => engines.cleanup())

/** Letters that could separate or end the parts of an e-mail address, and those beside them in Unicode. */
const nearSpace = fc.constantFrom(
  ...'a@@@..$^\\\n\t\v\f\r \u001c\u0085\u00a0\u180e\u2007\u200b\u2028\u2029\u3000\ufeff😀',
)
const ids = fc.oneof(
  fc.uuid(),
  fc.emailAddress(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: nearSpace, maxLength: 12 }),
)

test('the database and the dashboard derive the same two words from any distinct id', async () => {
  const property = fc.asyncProperty(fc.array(ids, { maxLength: 50 }), async (given) => {
    const texts = given.map((id) => id.replaceAll('\0', '').toWellFormed())
    const { rows } = await sql<{ code: number | null }>`
      SELECT visit_words(id) AS code FROM unnest(${texts}::text[]) WITH ORDINALITY AS given (id, number) ORDER BY number`.execute(
      store,
    )
    const names = texts.map((id) => ({ id, codes: codesNamed(visitName(null, id)) }))
    expect(texts.map((id, n) => ({ id, codes: [rows[n]?.code ?? []].flat() }))).toEqual(names)
  })
  await fc.assert(property, { numRuns: 200 })
})
