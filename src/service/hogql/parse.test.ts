import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compileHogql } from './hogql.ts'
import { parseSelect } from './parse.ts'

const nested = (open: string, close: string, depth: number) =>
  `SELECT ${open.repeat(depth)}1${close.repeat(depth)} FROM events`

test('stops a query at the time limit, and parses the next one', async () => {
  const terminate = vi.spyOn(Worker.prototype, 'terminate')
  onTestFinished(() => terminate.mockRestore())
  expect(await parseSelect(nested('if(not(', '), 2, 3)', 300), 300)).toBeNull()
  // A thread that was still running returns exit code 1; one that had already ended returns none.
  expect(terminate.mock.settledResults).toEqual([{ type: 'fulfilled', value: 1 }])
  expect(await parseSelect('SELECT event FROM events')).toMatchObject({ node: 'SelectQuery' })
})

test('a busy machine does not fail a query: the limit is CPU time of the parser', async () => {
  await parseSelect('SELECT uuid FROM events')
  const limitMs = 1_000
  const pending = parseSelect('SELECT event FROM events', limitMs)
  await new Promise(setImmediate)
  // Blocks the thread that waits for the reply for longer than the limit.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * limitMs)
  expect(await pending).toMatchObject({ node: 'SelectQuery' })
})

test('returns each query its own tree, in order, also after a query that timed out', async () => {
  const names = ['event', 'uuid', 'timestamp']
  const slow = parseSelect(nested('if(not(', '), 2, 3)', 300), 200)
  const trees = await Promise.all(names.map((name) => parseSelect(`SELECT ${name} FROM events`)))
  expect(trees).toMatchObject(names.map((name) => ({ select: [{ chain: [name] }] })))
  expect(await slow).toBeNull()
})

const quickQueries: [name: string, query: string][] = [
  ['sums', `SELECT 1${'+1'.repeat(9_000)} FROM events`],
  ['conditions', `SELECT 1 FROM events WHERE 1${' AND 1'.repeat(3_000)}`],
  ['lambdas', `SELECT ${'x -> '.repeat(3_000)}1 FROM events`],
  ['brackets', `SELECT ${'('.repeat(9_000)}1${')'.repeat(9_000)} FROM events`],
  ['subqueries', '(SELECT '.repeat(2_000)],
]
const laterQueries: [name: string, query: string][] = [
  ['steps', `SELECT properties${'[1]'.repeat(6_000)} FROM events`],
  ['casts', `SELECT event${'::String'.repeat(2_000)} FROM events`],
  ['names', `SELECT event${' AS a'.repeat(3_000)} FROM events`],
  ['ranges', `SELECT 1${' BETWEEN 1 AND 1'.repeat(1_000)} FROM events`],
  ['joins', `SELECT 1 FROM events${' JOIN events ON 1'.repeat(1_000)}`],
  ['signs', `SELECT ${'- '.repeat(9_000)}event FROM events`],
  ['negations', `SELECT ${'NOT '.repeat(4_000)}event FROM events`],
  ['open brackets', '('.repeat(10_000)],
  ['lists', `SELECT ${'['.repeat(9_000)}1${']'.repeat(9_000)} FROM events`],
  ['digits', `SELECT ${'9'.repeat(19_000)} FROM events`],
  ['tags', `SELECT ${'<a>'.repeat(2_000)} FROM events`],
]
for (const [queries, tags] of [
  [quickQueries, []],
  [laterQueries, ['slow']],
] as const)
  test.for(queries)(
    'parses the next query after twenty thousand characters of %s',
    { tags: [...tags] },
    async ([, query]) => {
      const tree = await parseSelect(query, 1_000)
      expect(tree === null || typeof tree === 'object').toBe(true)
      expect(await parseSelect('SELECT event FROM events')).toMatchObject({ node: 'SelectQuery' })
    },
  )

const rejectsNested = async (query: string) => {
  expect(await compileHogql(query, 'events')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^Invalid HogQL query: It is .*nested|^Failed to parse query$/),
  })
}
test.for([nested('(', ')', 9_000), `SELECT ${'- '.repeat(300)}event FROM events`])(
  'rejects a query that is nested too deeply',
  rejectsNested,
)
test('rejects calls that are nested too deeply, which take the parser longest', { tags: ['slow'] }, () =>
  rejectsNested(nested('lower(', ')', 110)),
)
