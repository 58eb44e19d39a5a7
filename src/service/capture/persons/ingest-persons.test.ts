import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIngest } from '../ingest.ts'
import { personIdOf } from './person-id.ts'
import { decoded, testIngest, testUuid, type TestIngest } from '../../testing/test-ingest.ts'

let testing: TestIngest
beforeAll(async () => {
  testing = await testIngest()
})
afterAll(() => testing.cleanup())

test('creates persons only for $set, $set_once and $identify, with the id that earlier events had', async () => {
  const project = testing.newProject()
  await testing.capture(project, [{ event: '$pageview', distinct_id: 'u' }])
  expect(await testing.persons(project)).toEqual([])
  await testing.capture(project, [
    { event: 'seen', distinct_id: 'u', $set_once: { first: 1 } },
    { event: 'quiet', distinct_id: 'v', $set: { a: 1 }, properties: { $process_person_profile: false } },
  ])
  expect(await testing.persons(project)).toMatchObject([
    { uuid: personIdOf(project, 'u'), properties: { first: 1 } },
  ])
  const ids = (await testing.events(project)).map((event) => [event['distinct_id'], event['person_id']])
  expect(ids.filter(([id]) => id === 'u').every(([, person]) => person === personIdOf(project, 'u'))).toBe(
    true,
  )
})

test('stores with each event the person properties after it, in the order of the batch', async () => {
  const project = testing.newProject()
  await testing.capture(project, [
    { event: 'e1', distinct_id: 'u', properties: { $set: { plan: 'free' }, $set_once: { first: 'a' } } },
    { event: 'e2', distinct_id: 'u' },
    { event: 'e3', distinct_id: 'u', properties: { $set: { plan: 'pro' }, $set_once: { first: 'b' } } },
    { event: 'e4', distinct_id: 'u', properties: { $unset: ['plan'] } },
  ])
  const properties = (await testing.events(project)).map((event) => [
    event['event'],
    event['person_properties'],
  ])
  expect(Object.fromEntries(properties)).toEqual({
    e1: { plan: 'free', first: 'a' },
    e2: { plan: 'free', first: 'a' },
    e3: { plan: 'pro', first: 'a' },
    e4: { first: 'a' },
  })
})

test('raises the version of a person only for a real change', async () => {
  const project = testing.newProject()
  const send = (set: Record<string, unknown>) =>
    testing.capture(project, [{ event: 's', distinct_id: 'u', $set: set }])
  await send({ b: { y: 1, x: [2] }, a: 1 })
  await send({ a: 1, b: { x: [2], y: 1 } })
  expect(await testing.persons(project)).toMatchObject([{ version: 0 }])
  await send({ a: 2 })
  expect(await testing.persons(project)).toMatchObject([
    { version: 1, properties: { a: 2, b: { y: 1, x: [2] } } },
  ])
  expect((await testing.personRows(project)).map((row) => row['person_version'])).toEqual([0, 1])
})

test('adds the anonymous id named by $identify to the person', async () => {
  const project = testing.newProject()
  await testing.capture(project, [identify('ada', 'anon-1', { email: 'ada@example.com' })])
  await testing.capture(project, [{ event: '$pageview', distinct_id: 'anon-1' }])
  expect(await testing.distinctIds(project)).toEqual({
    ada: personIdOf(project, 'ada'),
    'anon-1': personIdOf(project, 'ada'),
  })
  expect((await testing.events(project)).map((event) => event['person_id'])).toEqual(
    Array.from({ length: 2 }, () => personIdOf(project, 'ada')),
  )
})

test('keeps the id when an anonymous person is identified', async () => {
  const project = testing.newProject()
  await testing.capture(project, [{ event: 'x', distinct_id: 'anon', $set: { seen: 1 } }])
  await testing.capture(project, [identify('ada', 'anon', { email: 'a' })])
  expect(await testing.persons(project)).toMatchObject([
    { uuid: personIdOf(project, 'anon'), properties: { seen: 1, email: 'a' } },
  ])
  expect(Object.keys(await testing.distinctIds(project))).toEqual(['ada', 'anon'])
})

test.each([
  ['in one batch', true],
  ['in several batches', false],
])('merges two known persons into the identified one (%s)', async (_, together) => {
  const project = testing.newProject()
  const steps = [
    { event: 'x', distinct_id: 'anon', $set: { plan: 'guest', seen: 1 } },
    { event: 'x', distinct_id: 'ada', $set: { plan: 'pro' } },
    identify('ada', 'anon', {}),
    { event: 'after', distinct_id: 'anon' },
  ]
  if (together) await testing.capture(project, steps)
  else for (const step of steps) await testing.capture(project, [step])
  const ada = personIdOf(project, 'ada')
  expect(await testing.persons(project)).toMatchObject([{ uuid: ada, properties: { plan: 'pro', seen: 1 } }])
  expect(await testing.distinctIds(project)).toEqual({ ada, anon: ada })
  const after = (await testing.events(project)).find((event) => event['event'] === 'after')
  expect(after).toMatchObject({ person_id: ada, person_properties: { plan: 'pro', seen: 1 } })
  const lost = (await testing.personRows(project)).filter((row) => row['is_deleted'] === 1)
  expect(lost.map((row) => row['person_id'])).toEqual(together ? [] : [personIdOf(project, 'anon')])
})

test('keeps two persons identified in the same browser separate', async () => {
  const project = testing.newProject()
  await testing.capture(project, [identify('ada', 'browser', {})])
  await testing.capture(project, [identify('bob', 'browser', {})])
  expect(await testing.distinctIds(project)).toEqual({
    ada: personIdOf(project, 'ada'),
    browser: personIdOf(project, 'ada'),
    bob: personIdOf(project, 'bob'),
  })
  await testing.capture(project, [
    { event: '$merge_dangerously', distinct_id: 'bob', properties: { alias: 'ada' } },
  ])
  expect(new Set(Object.values(await testing.distinctIds(project)))).toEqual(
    new Set([personIdOf(project, 'bob')]),
  )
})

test('writes persons to the warehouse with all distinct ids, and nothing new for a repeated request', async () => {
  const project = testing.newProject()
  const batch = [
    identify('ada', 'anon', { a: 1 }),
    { event: 'x', distinct_id: 'ada', $set: { b: 2 }, uuid: testUuid(1, 1) },
  ]
  await testing.capture(project, batch)
  await testing.capture(project, batch)
  expect(await testing.personRows(project)).toMatchObject([
    { distinct_id: 'ada', properties: { a: 1, b: 2 }, person_version: 0, is_deleted: 0 },
    { distinct_id: 'anon', properties: { a: 1, b: 2 }, person_version: 0, is_deleted: 0 },
  ])
})

test('loses no person when several services write at the same time', async () => {
  const project = testing.newProject()
  const other = openIngest(testing)
  const writes = Array.from({ length: 30 }, async (_, index) => {
    const events = await decoded([identify(`user-${index % 3}`, `anon-${index}`, { [`k${index}`]: index })])
    await (index % 2 ? testing.ingest : other).add(project, events)
  })
  await Promise.all(writes)
  const stored = await testing.persons(project)
  expect(stored.flatMap((person) => Object.keys(person.properties)).sort()).toEqual(
    Array.from({ length: 30 }, (_, index) => `k${index}`).sort(),
  )
})

function identify(id: string, anonymous: string, set: Record<string, unknown>) {
  const uuid = personIdOf(0, `${id}:${anonymous}`)
  return {
    event: '$identify',
    distinct_id: id,
    uuid,
    $set: set,
    properties: { $anon_distinct_id: anonymous },
  }
}
