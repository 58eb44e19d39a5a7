import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bindHogql, compileHogql } from './hogql.ts'

const words = fc.constantFrom(
  ...'SELECT FROM events persons WHERE AND OR NOT IN LIKE BETWEEN IS NULL AS CASE WHEN THEN ELSE END DISTINCT UNION ALL'.split(
    ' ',
  ),
  ...'JOIN ON LIMIT ORDER BY GROUP HAVING WITH INTERVAL DAY CAST OVER event properties person timestamp lower toInt'.split(
    ' ',
  ),
  ..."( ) [ ] { } , . ; : :: * + - / % = != < > || ?? ? -> =~ ' \" ` \\ $ # -- /* */ 1 2.5 1e9 0x1 'a' `b` \n".split(
    ' ',
  ),
)

const quoted = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((text) => `'${text.replace(/[\\']/g, '\\$&')}'`)
const key = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((text) => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '``')}\``)
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e9, max: 1e9 })).map(String)
const leaf = fc.oneof(
  quoted,
  number,
  key.map((name) => `properties.${name}`),
  fc.constantFrom(
    'event',
    'events.uuid',
    'timestamp',
    'true',
    'null',
    'person.properties.email',
    'properties.a[1].b',
  ),
)

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression')
  const operator = fc.constantFrom('+', '-', '*', '/', '%', '=', '!=', '<', '>=', 'and', 'or', '||', '??')
  return {
    expression: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.tuple(inner, operator, inner).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc
        .tuple(fc.constantFrom('lower', 'toInt', 'toDate', 'not', 'isNull', 'length', 'foo'), inner)
        .map(([name, x]) => `${name}(${x})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} BETWEEN ${b} AND ${c})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `CASE WHEN ${a} THEN ${b} ELSE ${c} END`),
      fc
        .tuple(inner, fc.array(fc.oneof(quoted, number), { minLength: 1, maxLength: 3 }))
        .map(([a, list]) => `(${a} NOT IN (${list.join(', ')}))`),
      fc.tuple(inner, quoted).map(([a, pattern]) => `(${a} ILIKE ${pattern})`),
      fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    ),
  }
})

/** Characters allowed in printed SQL once placeholders and the templates' literals are removed. */
const plainSql = /^[\w.(), [\]]*$/
const literals = /%\(hogql_val_\d+\)s|'\^"\|"\$'|'null'|'UTC'|'Int64'|''/g

test('any text either compiles or is rejected with a detail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.array(words, { maxLength: 20 }).map((list) => list.join(' ')),
      ),
      async (text) => {
        for (const query of [text, `SELECT ${text} FROM events`, `SELECT event FROM events WHERE ${text}`]) {
          const result = await compileHogql(query, 'events')
          expect(typeof (result.ok ? result.schema.hogql_query : result.detail)).toBe('string')
        }
      },
    ),
    { numRuns: 30 },
  )
}, 120_000)

/** Generous, so that a busy machine does not fail the test. */
const limitMs = 60_000

test(
  'constants and keys of an accepted query appear only as placeholders, and its normal form compiles to the same',
  { tags: ['slow'], timeout: 120_000 },
  async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(expression, expression, async (field, where) => {
        const result = await compileHogql(
          `SELECT ${field} AS x FROM events WHERE ${where}`,
          'events',
          limitMs,
        )
        if (!result.ok) return
        accepted += 1
        const { schema } = result
        const { fields, where: condition, values } = result.sql
        const sql = [...fields.map((item) => item.expression), condition ?? ''].join(' ')
        expect(sql.replace(literals, '')).toMatch(plainSql)
        expect(Object.keys(bindHogql(sql, values).params).every((name) => name in values)).toBe(true)
        // The newline bypasses the cache, which is keyed by the normal form.
        expect(await compileHogql(`${schema.hogql_query}\n`, 'events', limitMs)).toEqual(result)
      }),
      { numRuns: 20 },
    )
    expect(accepted).toBeGreaterThan(3)
  },
)
