import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Model } from '../../contract/exports/batch-export.ts'
import type { Row, Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { openEmbeddedWarehouse } from '../engines/clickhouse/chdb.ts'
import { bindHogql, compileHogql } from './hogql.ts'
import { functionRules } from './allowed-functions.ts'
import { createTables } from '../warehouse/tables.ts'

let folder: string
let warehouse: Warehouse

const properties = {
  $browser: 'Chrome',
  amount: 12.5,
  quoted: 'she said "hi"',
  paid: true,
  missing: null,
  tags: ['a', 'b'],
  nested: { list: [1, { name: 'x' }] },
  day: '2026-03-04T05:06:07Z',
  url: 'https://shop.example/p?a=1#x',
}

/** Difficult values, used as a property and as the whole text of the JSON column. */
const hostile = [
  '',
  ' ',
  'abc',
  '0',
  '-1',
  '1e308',
  '-1e308',
  'inf',
  'nan',
  '99999999999999999999',
  '-9223372036854775808',
  '1800-01-01 00:00:00',
  '9999-12-31 23:59:59',
  '2026-02-30',
  '12:00',
  '(',
  '%',
  '\\',
  '"',
  "'",
  '\u0000',
  '😀'.repeat(50),
  'null',
  'true',
  '{}',
  '[1',
  'http://[::1',
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-hogql-'))
  warehouse = await openEmbeddedWarehouse(folder)
  await createTables(warehouse)
  const event = {
    team_id: 1,
    uuid: '0196b7a0-0000-7000-8000-000000000001',
    event: '$pageview',
    properties: JSON.stringify(properties),
    distinct_id: 'user-1',
    timestamp: '2026-03-04 05:06:07.123456',
    created_at: '2026-03-04 05:06:08',
    inserted_at: '2026-03-04 05:06:09',
    elements_chain: '',
    person_id: '0196b7a0-0000-7000-8000-000000000002',
    person_properties: '{"email":"ada@example.com"}',
  }
  const worst = hostile.flatMap((text, index) => [
    {
      ...event,
      team_id: 2,
      distinct_id: `h${index}`,
      event: text,
      properties: JSON.stringify({ x: text, n: text }),
    },
    {
      ...event,
      team_id: 2,
      distinct_id: `t${index}`,
      elements_chain: text,
      properties: text,
      person_properties: text,
    },
  ])
  const rows = [event, ...worst].map((row) => JSON.stringify(row)).join('\n')
  await warehouse.insert('events', rows)
  const person = {
    team_id: 1,
    distinct_id: 'user-1',
    person_id: event.person_id,
    properties: event.person_properties,
    person_version: 3,
    person_distinct_id_version: 1,
    created_at: event.created_at,
    is_deleted: 0,
    inserted_at: event.inserted_at,
  }
  await warehouse.insert('persons', JSON.stringify(person))
})

afterAll(async () => {
  await warehouse.close()
  await rm(folder, { recursive: true, force: true })
})

/** Generous, so that a busy machine does not fail the test. */
const limitMs = 60_000

/** Runs the query as an export does: over a subquery that filters by project. */
async function run(query: string, model: Model = 'events', team = 1): Promise<Row[]> {
  const { sql, params } = await select(query, model, team)
  return await warehouse.query(sql, { params })
}

async function select(query: string, model: Model, team: number): Promise<{ sql: string; params: Row }> {
  const result = await compileHogql(query, model, limitMs)
  if (!result.ok) throw new Error(`${result.detail}: ${query}`)
  const fields = result.sql.fields.map(({ expression, alias }) => `${expression} AS \`${alias}\``)
  const where = result.sql.where === null ? '' : ` WHERE ${result.sql.where}`
  const text = `SELECT ${fields.join(', ')} FROM (SELECT * FROM ${model} WHERE team_id = {team: Int64}) AS ${model}${where}`
  const { sql, params } = bindHogql(text, result.sql.values)
  return { sql, params: { ...params, team } }
}

async function value(expression: string): Promise<unknown> {
  const rows = await run(`SELECT ${expression} AS value FROM events`)
  expect(rows).toHaveLength(1)
  return rows[0]?.['value']
}

test.for<[string, unknown]>([
  ['event', '$pageview'],
  ['events.event', '$pageview'],
  ['team_id', 1],
  ['1 + 1', 2],
  ['7 % 4', 3],
  ['7 % 0', null],
  ['7 / 2', 3.5],
  ['-(3)', -3],
  ['0.1 + 0.2', 0.30000000000000004],
  [
    "'it''s \\\\ \"q\" %(hogql_val_0)s {x:String} 😀\\n\\t'",
    'it\'s \\ "q" %(hogql_val_0)s {x:String} 😀\n\t',
  ],
  ["'\\\\N'", '\\N'],
  ["f'{event}!'", '$pageview!'],
  ['true', true],
  ['null', null],
  ['properties.$browser', 'Chrome'],
  ["properties['$browser']", 'Chrome'],
  ['properties.amount', '12.5'],
  ['properties.missing', null],
  ['properties.absent', null],
  ['properties.nested.list[2].name', 'x'],
  ['properties.nested.list.1', '1'],
  ['properties.tags[-1]', 'b'],
  ['person.properties.email', 'ada@example.com'],
  ['person_properties.email', 'ada@example.com'],
  ['toString(person.id)', '0196b7a0-0000-7000-8000-000000000002'],
  ['properties.amount > 12', 1],
  ['properties.amount * 2', 25],
  ['properties.amount in (12.5, 3)', 1],
  ['properties.amount between 12 and 13', 1],
  ['properties.amount not between 12 and 13', 0],
  ['properties.paid = true', 1],
  ["properties.absent = 'x'", 0],
  ["properties.absent != 'x'", 1],
  ["properties.absent not in ('x')", 1],
  ["properties.absent not like 'x%'", 1],
  ['properties.absent is null', 1],
  ['properties.missing is not null', 0],
  ['properties.amount = null', 0],
  ["properties.$browser = 'Chrome' and not event = 'x'", 1],
  ["event in '$pageview'", 1],
  ["event not in ['a', 'b']", 1],
  ["(event, distinct_id) in (('$pageview', 'user-1'), ('a', 'b'))", 1],
  ["event like '$page%' and event ilike '$PAGE%' and event not ilike 'x'", 1],
  ["event =~ 'view$'", 1],
  ["event =~* 'VIEW$'", 1],
  ["event !~* 'VIEW$'", 0],
  ["timestamp > '2026-03-04'", 1],
  ["timestamp >= '2026-03-04T05:06:07.123456Z'", 1],
  ["timestamp > toDateTime('2026-03-04 06:06:07', 'Europe/Berlin')", 1],
  ["uuid = '0196b7a0-0000-7000-8000-000000000001'", 1],
  ['toInt(properties.amount)', null],
  ["toInt('12')", 12],
  ["'12'::int", 12],
  ['cast(properties.amount as float)', 12.5],
  ["toBool('true')", true],
  ['toDate(timestamp)', '2026-03-04'],
  ['toDate(properties.day)', '2026-03-04'],
  ["toDate(toTimeZone(timestamp, 'America/New_York'))", '2026-03-04'],
  ["toString(toTimeZone(timestamp, 'America/New_York'))", '2026-03-04 00:06:07.123456'],
  ["toDateTime('not a time')", null],
  ['toUnixTimestamp(properties.day)', 1772600767],
  ['toDateTime(1772600767) = toDateTime(properties.day)', 1],
  ['toStartOfHour(properties.day)', '2026-03-04 05:00:00'],
  ['toString(timestamp - interval 1 day)', '2026-03-03 05:06:07.123456'],
  ['toString(properties.day + interval 1 day)', '2026-03-05 05:06:07.000000'],
  ['event + interval 1 day', null],
  ['properties.day < timestamp', 1],
  ['timestamp > event', 0],
  ["dateDiff('hour', timestamp, '2026-03-05')", 19],
  ["formatDateTime(timestamp, '%Y/%m')", '2026/03'],
  ["if(event = '$pageview', 'view', 'other')", 'view'],
  ["case when event = 'a' then 1 when event = '$pageview' then 2 else 3 end", 2],
  ["case event when 'a' then 1 when '$pageview' then 2 end", 2],
  ["case event when 'a' then 1 end", null],
  ["properties.absent ?? 'none'", 'none'],
  ["event = '$pageview' ? 1 : 2", 1],
  ["concat('a', properties.absent, 1, event)", 'a1$pageview'],
  ["event || '!' || properties.$browser", '$pageview!Chrome'],
  ["JSONExtract(properties, 'tags', 'Array(String)')", ['a', 'b']],
  ["JSONExtract(properties, 'tags', 'Array(String)')[1]", 'a'],
  ["JSONExtractFloat(properties, 'amount')", 12.5],
  ['[1, 2, 3][2]', 2],
  ["(1, 'b').2", 'b'],
  ["splitByChar('/', properties.url)[3]", 'shop.example'],
  ['domain(properties.url)', 'shop.example'],
  ["replace(event, '$', '')", 'pageview'],
  ['UPPER(event)', '$PAGEVIEW'],
  ["trim(both '$' from event)", 'pageview'],
  ['hex(MD5(event))', '0B7FF5AD8F991CE1FC7FB84236A9EB82'],
])('%s returns %j', async ([expression, expected]) => {
  expect(await value(expression)).toEqual(expected)
})

test('reads all columns of both models under their names', async () => {
  expect(Object.keys((await run('SELECT * FROM events'))[0] ?? {})).toHaveLength(10)
  expect(Object.keys((await run('SELECT persons.* FROM persons', 'persons'))[0] ?? {})).toHaveLength(8)
  expect(
    await run("SELECT properties.email FROM persons WHERE is_deleted = 0 AND created_at > '2026'", 'persons'),
  ).toEqual([{ email: 'ada@example.com' }])
})

test('a WHERE keeps only the rows that match, and none of another project', async () => {
  expect(await run("SELECT event FROM events WHERE properties.$browser = 'Chrome'")).toHaveLength(1)
  expect(await run("SELECT event FROM events AS e WHERE e.event != '$pageview'")).toHaveLength(0)
  expect(
    await run("SELECT 'h1' AS distinct_id, event FROM events WHERE team_id = 2 OR distinct_id != 'x'"),
  ).toHaveLength(1)
})

test('no alias can hide a column', async () => {
  const query = `SELECT lower(distinct_id) AS event, event AS \`x, (SELECT 1) AS y\`, uuid AS \`events.event\`, 1 AS \`{a:String} 'q' "d" -- ; $\`
    FROM events WHERE event = '$pageview'`
  expect(await run(query)).toEqual([
    {
      event: 'user-1',
      'x, (SELECT 1) AS y': '$pageview',
      'events.event': '0196b7a0-0000-7000-8000-000000000001',
      '{a:String} \'q\' "d" -- ; $': 1,
    },
  ])
})

test('constants are written to a file as parameters of INSERT INTO FUNCTION', async () => {
  const { sql, params } = await select(
    "SELECT concat(event, ' \\'; -- ') AS text FROM events WHERE team_id = 1",
    'events',
    1,
  )
  const file = join(folder, 'out.jsonl')
  await warehouse.command(`INSERT INTO FUNCTION file('${file}', JSONEachRow) ${sql}`, { params })
  expect(await warehouse.query(`SELECT text FROM file('${file}', JSONEachRow)`)).toEqual([
    { text: "$pageview '; -- " },
  ])
})

test.for([
  "timestamp = 'someday'",
  'uuid > distinct_id',
  'length(1)',
  "match(event, '(')",
  "'a' + 1",
  "dateTrunc('x', timestamp)",
])('%s fails even without rows', async (expression) => {
  const { sql, params } = await select(`SELECT ${expression} AS x FROM events`, 'events', 3)
  await expect(warehouse.query(`${sql} LIMIT 0`, { params })).rejects.toThrow()
})

test('runs the largest accepted query', { tags: ['slow'] }, async () => {
  const list = Array.from({ length: 900 }, (_, index) => `'${index}'`).join(', ')
  expect(await run(`SELECT event FROM events WHERE event NOT IN (${list})`)).toHaveLength(1)
  const fields = Array.from({ length: 200 }, (_, index) => `properties.p${index}`).join(', ')
  expect(await run(`SELECT ${fields} FROM events`)).toHaveLength(1)
})

const text = 'properties.x'
const number = 'toFloat(properties.n)'
const list = "JSONExtract(properties, 'x', 'Array(String)')"
const numbers = "JSONExtract(properties, 'x', 'Array(Float64)')"

/** A call of each function, over the values of the rows. */
const calls: Record<string, string> = {
  ...same('equals less greater lessOrEquals greaterOrEquals notEquals', `(${text}, 'a')`),
  ...same('in notIn', `(${number}, (1, 2.5, NULL))`),
  ...same('like ilike match notLike notILike', `(${text}, 'a.*%')`),
  ...same('and or xor', `(isNull(${text}), ${number} > 1)`),
  ...same('not isNull isNotNull', `(${text} = 'a')`),
  if: `(${text} = '', ${text}, event)`,
  multiIf: `(${text} = '', 1, ${text} = 'a', 2, ${number})`,
  caseWithExpression: `(${text}, 'a', 1, 'b', 2, 3)`,
  ...same('coalesce ifNull nullIf least greatest', `(${text}, event)`),
  ...same('plus minus multiply divide modulo pow atan2 hypot', `(${number}, properties.x)`),
  ...same('negate abs sign sqrt cbrt exp exp2 exp10 log log2 log10 degrees radians', `(${text})`),
  ...same('sin cos tan asin acos atan sinh cosh tanh isFinite isInfinite isNaN', `(${number})`),
  ...same('round floor ceil trunc', `(${text}, 2)`),
  ...same('bitNot bitCount', '(toInt(properties.n))'),
  ...same('bitAnd bitOr bitXor', '(toInt(properties.n), 255)'),
  ...same('pi e', '()'),
  ...same('toString toJSONString toInt toFloat toBool toUUID', `(${text})`),
  toDecimal: `(${text}, 4)`,
  ...same('toDateTime toDate toUnixTimestamp toUnixTimestamp64Milli', `(${text})`),
  parseDateTime: `(${text}, '%Y-%m-%d')`,
  ...same('fromUnixTimestamp fromUnixTimestamp64Milli', `(${text})`),
  ...same('toYear toQuarter toMonth toDayOfYear toDayOfMonth toHour toMinute toSecond', `(${text})`),
  ...same('toISOYear toISOWeek toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss', `(${text})`),
  ...same('toWeek toDayOfWeek toStartOfWeek', `(${text}, 1)`),
  ...same('toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toStartOfDay', `(${text})`),
  ...same('toStartOfHour toStartOfMinute toStartOfSecond toStartOfFiveMinutes', `(${text})`),
  ...same('toStartOfTenMinutes toStartOfFifteenMinutes toMonday toLastDayOfMonth', `(${text})`),
  toStartOfInterval: `(${text}, INTERVAL 5 MINUTE, 'Asia/Tokyo')`,
  dateTrunc: `('month', ${text}, 'Asia/Tokyo')`,
  ...same('dateDiff age', `('day', ${text}, timestamp)`),
  toTimeZone: `(${text}, 'Asia/Tokyo')`,
  formatDateTime: `(${text}, '%Y-%m-%d %H:%i:%S', 'Asia/Tokyo')`,
  ...same('addYears addQuarters addMonths addWeeks addDays addHours addMinutes addSeconds', `(${text}, 3)`),
  ...same('subtractYears subtractQuarters subtractMonths subtractWeeks subtractDays', `(${text}, 3)`),
  ...same('subtractHours subtractMinutes subtractSeconds', `(${text}, 3)`),
  ...intervals('Year Quarter Month Week Day Hour Minute Second'),
  concat: `(${text}, 1, event, timestamp, ${number}, NULL)`,
  ...same('lower upper lowerUTF8 upperUTF8 initcap length lengthUTF8 reverse reverseUTF8 ascii', `(${text})`),
  ...same('empty notEmpty isValidUTF8 toValidUTF8', '(event)'),
  ...same('trim trimLeft trimRight', `(${text}, ' a')`),
  ...same('substring substringUTF8', `(${text}, toInt(properties.n), 2)`),
  ...same('left right leftUTF8 rightUTF8', `(${text}, 3)`),
  ...same('startsWith endsWith', `(${text}, event)`),
  substringIndex: `(${text}, '.', 2)`,
  ...same('position positionUTF8 positionCaseInsensitive positionCaseInsensitiveUTF8', `(${text}, event)`),
  ...same('countSubstrings countSubstringsCaseInsensitive', `(${text}, event)`),
  ...same('replaceOne replaceAll replaceRegexpOne replaceRegexpAll', `(${text}, 'a', 'b')`),
  ...same('extract extractAll countMatches', `(${text}, '[a-z]+')`),
  ...same('splitByChar splitByString splitByRegexp', `(',', ${text})`),
  ...same('splitByWhitespace splitByNonAlpha', `(${text})`),
  arrayStringConcat: `(${list}, ',')`,
  ...same('hex base64Encode tryBase64Decode encodeURLComponent decodeURLComponent', `(${text})`),
  ...same('protocol domain domainWithoutWWW topLevelDomain cutToFirstSignificantSubdomain', `(${text})`),
  ...same(
    'path pathFull queryString fragment queryStringAndFragment cutQueryString cutFragment',
    `(${text})`,
  ),
  ...same('extractURLParameter cutURLParameter', `(${text}, 'a')`),
  ...same('cutWWW extractURLParameters extractURLParameterNames isIPv4String isIPv6String', '(event)'),
  isValidJSON: '(properties)',
  ...same(
    'JSONHas JSONLength JSONType JSONExtractString JSONExtractInt JSONExtractUInt',
    "(properties, 'x', 1)",
  ),
  ...same('JSONExtractFloat JSONExtractBool JSONExtractRaw JSONExtractArrayRaw', '(properties, event)'),
  JSONExtractKeys: '(properties)',
  JSONExtract: "(properties, 'x', 'Nullable(Float64)')",
  ...same(
    'cityHash64 sipHash64 farmHash64 xxHash32 xxHash64 murmurHash3_32 murmurHash3_64',
    `(${text}, event)`,
  ),
  xxh3: `(${text})`,
  ...same('MD5 SHA1 SHA224 SHA256 SHA512 halfMD5', `(${text})`),
  ...same('array tuple', `(${text}, event)`),
  ...same('arrayElement', `(${list}, toInt(properties.n))`),
  ...same('has indexOf countEqual arrayPushBack arrayPushFront', `(${list}, event)`),
  ...same('hasAny hasAll arrayConcat', `(${list}, [event])`),
  tupleElement: `((event, ${text}), 2)`,
  arraySlice: `(${list}, 2, 5)`,
  ...same('arrayDistinct arraySort arrayReverseSort arrayReverse arrayUniq arrayCompact', `(${list})`),
  ...same('arrayFlatten arrayPopBack arrayPopFront', `(${list})`),
  ...same('arrayMin arrayMax arraySum arrayAvg', `(${numbers})`),
}

function same(names: string, args: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, args]))
}

function intervals(units: string): Record<string, string> {
  return Object.fromEntries(units.split(' ').map((unit) => [`toInterval${unit}`, '(2)']))
}

test('no value of a row makes a function fail', { tags: ['slow'] }, async () => {
  expect(Object.keys(calls).sort()).toEqual([...functionRules.keys()].sort())
  const fields = Object.entries(calls).map(([name, args]) =>
    name.startsWith('toInterval')
      ? `toDateTime(${text}) + ${name}${args} AS ${name}`
      : `${name}${args} AS \`${name}\``,
  )
  for (let start = 0; start < fields.length; start += 10) {
    const rows = await run(`SELECT ${fields.slice(start, start + 10).join(', ')} FROM events`, 'events', 2)
    expect(rows).toHaveLength(hostile.length * 2)
  }
})
