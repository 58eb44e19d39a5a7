import { expect, test } from 'vitest'
import type { Model } from '../../contract/exports/batch-export.ts'
import { bindHogql, compileHogql, type HogqlResult } from './hogql.ts'

/** Generous, so that a busy machine does not fail the test. */
const limitMs = 60_000

async function compiled(query: string, model: Model = 'events') {
  const result = await compileHogql(query, model, limitMs)
  if (!result.ok) throw new Error(`${result.detail}: ${query}`)
  return result
}

async function detail(query: string, model: Model = 'events'): Promise<string> {
  const result = await compileHogql(query, model)
  return result.ok ? `accepted as ${result.schema.hogql_query}` : result.detail
}

const browser = `replaceRegexpAll(nullIf(nullIf(JSONExtractRaw(events.properties, %(hogql_val_0)s), ''), 'null'), '^"|"$', '')`

test('returns the schema that PostHog clients expect', async () => {
  const query = `
    select
      event, team_id  as my_team,
      properties, properties.$browser as browser,
      person_id
    from events
  `
  const fields = [
    { expression: 'events.event', alias: 'event' },
    { expression: 'events.team_id', alias: 'my_team' },
    { expression: 'events.properties', alias: 'properties' },
    { expression: browser, alias: 'browser' },
    { expression: 'events.person_id', alias: 'person_id' },
  ]
  expect(await compileHogql(query, 'events')).toEqual({
    ok: true,
    schema: {
      fields,
      values: { hogql_val_0: '$browser' },
      hogql_query:
        'SELECT event, team_id AS my_team, properties, properties.$browser AS browser, person_id FROM events',
    },
    sql: { fields, values: { hogql_val_0: '$browser' }, where: null },
  })
})

test('toInt becomes a cast that returns NULL on failure, with its type as a constant', async () => {
  const { schema } = await compiled("SELECT toInt('1') AS number FROM events")
  expect(schema.fields).toEqual([
    { expression: 'accurateCastOrNull(%(hogql_val_0)s, %(hogql_val_1)s)', alias: 'number' },
  ])
  expect(schema.values).toEqual({ hogql_val_0: '1', hogql_val_1: 'Int64' })
})

test('in ClickHouse every constant is a placeholder, including those in the condition', async () => {
  const { sql } = await compiled("SELECT 1, -1.5, true, null, 'a' FROM events WHERE event != 'b'")
  expect(sql.fields.map(({ expression }) => expression)).toEqual(
    [0, 1, 2, 3, 4].map((n) => `%(hogql_val_${n})s`),
  )
  expect(sql.where).toBe('notEquals(events.event, %(hogql_val_5)s)')
  expect(Object.values(sql.values)).toEqual([1, -1.5, true, null, 'a', 'b'])
})

test.for<[string, string, unknown[]?]>([
  ['1 + 1', 'plus(1, 1)'],
  ['-(3)', 'minus(0, 3)'],
  ['-3', '-3'],
  ['1.5', '1.5'],
  ['-0.25', '-0.25'],
  ['1e-9', '1e-9'],
  ['9007199254740991', '9007199254740991'],
  ['true', '1'],
  ['false', '0'],
  ['null', 'NULL'],
  ['[1, -2.5, null]', '[1, -2.5, NULL]'],
  ["['a', 1]", '[%(hogql_val_0)s, 1]', ['a']],
  ["(1, 'b')", 'tuple(1, %(hogql_val_0)s)', ['b']],
  ['toInt(1 + 1)', 'accurateCastOrNull(plus(1, 1), %(hogql_val_0)s)', ['Int64']],
  ["event in ('a', 'b')", 'in(events.event, tuple(%(hogql_val_0)s, %(hogql_val_1)s))', ['a', 'b']],
])('the schema prints %s as %s', async ([expression, printed, values = []]) => {
  const { schema } = await compiled(`SELECT ${expression} AS x FROM events WHERE event != 'elsewhere'`)
  expect(schema.fields).toEqual([{ expression: printed, alias: 'x' }])
  expect(Object.values(schema.values)).toEqual(values)
})

test('placeholders become typed ClickHouse parameters', () => {
  const values = { hogql_val_0: 'a', hogql_val_1: 1, hogql_val_2: 1.5, hogql_val_3: true, hogql_val_4: null }
  const list = Object.keys(values).map((name) => `%(${name})s`)
  expect(bindHogql(list.join(' '), values)).toEqual({
    sql: '{hogql_val_0: String} {hogql_val_1: Int64} {hogql_val_2: Float64} {hogql_val_3: Bool} NULL',
    params: { hogql_val_0: 'a', hogql_val_1: 1, hogql_val_2: 1.5, hogql_val_3: true },
  })
  expect(() => bindHogql('%(constructor)s', values)).toThrow('no value constructor')
})

test.for([
  ['select 1+1 from events', 'SELECT plus(1, 1) FROM events'],
  ['SELECT\n\t*  FROM   events -- all of them', 'SELECT * FROM events'],
  ['select e.*, 1 one from events as e', 'SELECT *, 1 AS one FROM events AS e'],
  ['select events.event from events;', 'SELECT events.event FROM events'],
  [
    "select properties['a b'], properties.`null` from events",
    'SELECT properties.`a b`, properties.`null` FROM events',
  ],
  ['select properties.a.1[2].b x from events', 'SELECT properties.a[1][2].b AS x FROM events'],
  ['select LOWER(event) as `my event` from events', 'SELECT lower(event) AS `my event` FROM events'],
  [
    "select 'it''s' a, '\\\\' b, '\n' c from events",
    "SELECT 'it\\'s' AS a, '\\\\' AS b, '\\n' AS c FROM events",
  ],
  [
    'select [1, 2][1] a, (1, 2).2 b from events',
    'SELECT arrayElement([1, 2], 1) AS a, tupleElement(tuple(1, 2), 2) AS b FROM events',
  ],
  [
    'select properties.a > 1 x, properties.b = true y from events',
    'SELECT greater(toFloat(properties.a), 1) AS x, equals(toBool(properties.b), true) AS y FROM events',
  ],
  [
    'select toStartOfDay(properties.d) d from events',
    'SELECT toStartOfDay(toDateTime(properties.d)) AS d FROM events',
  ],
  ["select event || 'x' y from events", "SELECT concat(event, 'x') AS y FROM events"],
  [
    "select event from events where event in ('a') and not event is null or 1 between 0 and 2",
    "SELECT event FROM events WHERE or(and(in(event, tuple('a')), not(isNull(event))), and(greaterOrEquals(1, 0), lessOrEquals(1, 2)))",
  ],
])('normalises %j, and the normal form compiles to the same', async ([query = '', normal = '']) => {
  const first = await compiled(query)
  expect(first.schema.hogql_query).toBe(normal)
  // The newline bypasses the cache, which is keyed by the normal form.
  expect(await compiled(`${normal}\n`)).toEqual(first)
})

test.for([
  ['event', 'event'],
  ['events.event', 'event'],
  ['properties.$browser', '$browser'],
  ["properties['a b']", 'a b'],
  ['properties.a.b[1]', 'a__b__1'],
  ['person.properties.email', 'email'],
  ['lower( event )', 'lower(event)'],
  ["'hello'", 'hello'],
  ['null', 'NULL'],
])('%s without AS is named %s', async ([expression = '', alias]) => {
  const { schema } = await compiled(`SELECT ${expression} FROM events`)
  expect(schema.fields.map((field) => field.alias)).toEqual([alias])
})

test('a field of the person becomes a column of the event', async () => {
  const { schema } = await compiled(
    'SELECT person.id, person.properties, person_properties.email FROM events',
  )
  expect(schema.fields.map(({ expression }) => expression)).toEqual([
    'events.person_id',
    'events.person_properties',
    browser.replace('events.properties', 'events.person_properties'),
  ])
})

test('a missing value is unequal to any other, and concatenates as empty text', async () => {
  const { schema, sql } = await compiled(
    "SELECT concat('a', properties.b) AS x FROM events WHERE properties.c != 'd'",
  )
  expect(schema.fields[0]?.expression).toMatch(/^concat\(%\(hogql_val_0\)s, ifNull\(toString\(.*\), ''\)\)$/)
  expect(sql.where).toMatch(/^ifNull\(notEquals\(.*, %\(hogql_val_3\)s\), 1\)$/)
})

test.for<[string, string, Model?]>([
  ['', 'Failed to parse query'],
  ['SELECT', 'Failed to parse query'],
  ['SELECT event,, FROM events', 'Failed to parse query'],
  ['DROP TABLE events', 'Failed to parse query'],
  ["SELECT 'a\0b' FROM events", 'Failed to parse query'],
  ["SELECT '\ud800' FROM events", 'Failed to parse query'],
  ['SELECT event FROM events UNION ALL SELECT event FROM events', 'UNIONs are not supported'],
  ['SELECT event FROM events EXCEPT SELECT event FROM events', 'UNIONs are not supported'],
  ['SELECT 1', 'Query must SELECT FROM events'],
  ['SELECT event FROM sessions', 'Query must SELECT FROM events'],
  ['SELECT * FROM persons', 'Query must SELECT FROM events'],
  ['SELECT * FROM events', 'Query must SELECT FROM persons', 'persons'],
  ['SELECT 1 FROM default.events', 'Query must SELECT FROM events'],
  ['SELECT 1 FROM events JOIN persons ON 1', 'JOINs are not supported'],
  ['SELECT 1 FROM events, persons', 'JOINs are not supported'],
  ['SELECT 1 FROM (SELECT 1) AS events', 'Subqueries or CTEs are not supported'],
  ['WITH a AS (SELECT 1) SELECT event FROM a', 'Subqueries or CTEs are not supported'],
  [
    'SELECT event FROM events WHERE event IN (SELECT event FROM events)',
    'Subqueries or CTEs are not supported',
  ],
  ['SELECT coalesce((SELECT 1 FROM events), 1) FROM events', 'Subqueries or CTEs are not supported'],
  ['SELECT unknown_field FROM events', 'Invalid HogQL query: Unable to resolve field: unknown_field'],
  ['SELECT person FROM events', 'Invalid HogQL query: Unable to resolve field: person'],
  ['SELECT event FROM persons', 'Invalid HogQL query: Unable to resolve field: event', 'persons'],
  ['SELECT foo(1) FROM events', "Invalid HogQL query: Unsupported function call 'foo(...)'"],
  ['SELECT lower(event, 1) FROM events', "Invalid HogQL query: Function 'lower' expects 1 argument, found 2"],
  [
    'SELECT match(event, event) FROM events',
    "Invalid HogQL query: Function 'match' expects a constant as its argument 2",
  ],
  [
    'SELECT event IN distinct_id FROM events',
    "Invalid HogQL query: Function 'in' expects a constant as its argument 2",
  ],
  [
    'SELECT event, event FROM events',
    "Invalid HogQL query: Two fields are named 'event': rename one with AS",
  ],
  ['SELECT *, event FROM events', "Invalid HogQL query: Two fields are named 'event': rename one with AS"],
  ['SELECT 1 AS events FROM events', "Invalid HogQL query: A field cannot have the table's name 'events'"],
  ['SELECT 9007199254740993 FROM events', 'Invalid HogQL query: A number must be within ±9007199254740991'],
  ['SELECT inf FROM events', 'Invalid HogQL query: A number must be within ±9007199254740991'],
  [
    'SELECT 1 AS team_id FROM events',
    'Invalid HogQL query: "team_id" cannot be an alias: it is a reserved word',
  ],
  ['SELECT properties.a[0] FROM events', 'Invalid HogQL query: List indexes start at 1'],
  [
    "SELECT event['a'] FROM events",
    'Invalid HogQL query: Only JSON columns have properties, and property names must be constants',
  ],
  ['SELECT event::decimal FROM events', 'Invalid HogQL query: A cast to decimal is not supported'],
])('rejects %j: %s', async ([query, expected, model]) => {
  expect(await detail(query, model)).toBe(expected)
})

test.for([
  ['SELECT DISTINCT event FROM events', 'DISTINCT'],
  ['SELECT event FROM events GROUP BY event', 'GROUP BY'],
  ['SELECT event FROM events HAVING 1', 'HAVING'],
  ['SELECT event FROM events ORDER BY event', 'ORDER BY'],
  ['SELECT event FROM events LIMIT 1', 'LIMIT'],
  ['SELECT event FROM events LIMIT 1 BY event', 'LIMIT BY'],
  ['SELECT event FROM events LIMIT 1 OFFSET 1', 'LIMIT'],
  ['SELECT event FROM events ARRAY JOIN [1] AS x', 'ARRAY JOIN'],
  ['SELECT event FROM events SAMPLE 0.1', 'SAMPLE'],
  ['SELECT event FROM events FINAL', 'FINAL'],
  ['SELECT event FROM events PREWHERE 1', 'PREWHERE'],
  ['SELECT event FROM events QUALIFY 1', 'QUALIFY'],
  ['SELECT event FROM events WINDOW w AS (ORDER BY event)', 'WINDOW'],
  ['SELECT event FROM events SETTINGS max_threads = 1', 'SETTINGS'],
  ['SELECT TOP 1 event FROM events', 'TOP'],
  ['SELECT row_number() OVER () FROM events', 'window function'],
  ['SELECT count() FROM events', 'aggregate'],
  ['SELECT uniqIf(event, 1) FROM events', 'aggregate'],
  ['SELECT quantile(0.5)(1) FROM events', 'aggregate'],
  ['SELECT lower(DISTINCT event) FROM events', 'DISTINCT'],
  ['SELECT arrayJoin([1]) FROM events', 'arrayJoin'],
  ['SELECT now() FROM events', 'now()'],
  ['SELECT today() FROM events', 'today()'],
  ['SELECT rand() FROM events', 'rand()'],
  ['SELECT generateUUIDv4() FROM events', 'generateUUIDv4()'],
  ['SELECT has([1], x -> x) FROM events', 'lambda'],
  ['SELECT {x} FROM events', 'placeholder'],
  ['SELECT {x}.event FROM events', 'placeholder'],
  ["SELECT {'a': 1} FROM events", 'dictionary'],
  ["SELECT COLUMNS('a') FROM events", 'COLUMNS'],
  ['SELECT * EXCLUDE (event) FROM events', 'COLUMNS or EXCLUDE'],
  ['SELECT event IN COHORT 1 FROM events', 'COHORT'],
  ['SELECT lower(event AS x) FROM events', 'AS inside'],
  ['SELECT <a /> FROM events', 'tag'],
])('rejects %j and names the unsupported part: %s', async ([query = '', name = '']) => {
  expect(await detail(query)).toMatch(/^Invalid HogQL query: /)
  expect(await detail(query)).toContain(name)
})

test.for<[string, HogqlResult]>([
  [
    'SELECT\n  event,, FROM events',
    { ok: false, detail: 'Failed to parse query', position: { line: 2, column: 9, offset: 15 } },
  ],
  [
    "SELECT '😀',\n  '😀' || x FROM events",
    {
      ok: false,
      detail: 'Invalid HogQL query: Unable to resolve field: x',
      position: { line: 2, column: 10, offset: 23 },
    },
  ],
])('the position of an error in %j counts characters', async ([query, expected]) => {
  expect(await compileHogql(query, 'events')).toEqual(expected)
})

test('limits the size of a query', async () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index} AS f${index}`).join(', ')
  expect(await detail(`SELECT ${fields(200)} FROM events`)).toContain('accepted')
  expect(await detail(`SELECT ${fields(201)} FROM events`)).toContain('more than 200 fields')
  expect(await detail(`SELECT '${'a'.repeat(20_000)}' AS a FROM events`)).toContain(
    'longer than 20000 characters',
  )
  expect(await detail(`SELECT 1 IN (${'1,'.repeat(1100)}1) AS a FROM events`)).toContain(
    'more than 1000 constants',
  )
  expect(await detail(`SELECT ${'- '.repeat(150)}event AS a FROM events`)).toContain(
    'nested more than 100 levels',
  )
  expect(await detail(`SELECT 1${' BETWEEN 1 AND 1'.repeat(20)} AS a FROM events`)).toContain('too large')
  expect(await detail(`SELECT '${'a'.repeat(129)}' FROM events`)).toContain('at most 128 characters')
})

test.for([
  '`a\\`b`',
  '`a``b`',
  '`a\\\\b`',
  '`a\nb`',
  '`a\u0000b`',
  '`/*settings*/`',
  '``',
  '` `',
  '`a\u009fb`',
])('rejects the name %j', async (name) => {
  expect(await detail(`SELECT event AS ${name} FROM events`)).toMatch(
    /^(Invalid HogQL query: A name|Failed to parse)/,
  )
})
