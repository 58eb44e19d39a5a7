import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../auth/new-organization.ts'
import { audit } from '../store/audit/audit-entries.ts'
import type { Store, StoreTransaction } from '../store/schema/database.ts'
import { countOf, findRow, findRows } from '../store/schema/rows.ts'
import { testClock } from '../testing/test-clock.ts'
import { testServices } from '../testing/test-services.ts'
import { removeOldEntries } from './remove-old-entries.ts'
import { sealEntries } from './seal-entries.ts'
import { verifyChain } from './verify-chain.ts'
import { verifyChains } from './verify-chains.ts'

const clock = testClock('2026-03-04T10:00:00Z')
let opened: Awaited<ReturnType<typeof testServices>>

beforeAll(async () => {
  opened = await testServices(clock)
})
afterAll(() => opened.stop())

async function newOrganization(): Promise<string> {
  const names = { name: 'Own', projectName: 'Shop', keyLabel: 'Key' }
  return (await createOrganization(opened.services.store, clock.now(), names)).organization_id
}

function write(organizationId: string, name: string, store: Store = opened.services.store) {
  const after = { b: 1, a: ['x', { d: null, c: 'é' }] }
  return audit(store, {
    organizationId,
    action: 'export.updated',
    at: new Date(clock.now()),
    object: { id: name, name },
    after,
  })
}

/** Creates an organization with three seals of two entries each. */
async function sealedOrganization(): Promise<string> {
  const id = await newOrganization()
  for (const name of ['a', 'b', 'c']) {
    for (const part of [1, 2]) await write(id, `${name}${part}`)
    await sealEntries(opened.services)
    clock.advance(1000)
  }
  return id
}

const verify = (id: string) => verifyChain(opened.services, id)

test('entries are sealed in a chain, which verifies; each organization has its own', async () => {
  const [one, other] = [await sealedOrganization(), await newOrganization()]
  await write(one, 'not sealed yet')
  expect(await verify(one)).toMatchObject({ problem: null, seal: 3, removed: 0, entries: 6, unsealed: 1 })
  expect(await verify(other)).toMatchObject({ problem: null, seal: 0, entries: 0, unsealed: 0, hash: '' })
  expect((await verifyChains(opened.services, one)).text).toContain('valid: 3 seals; 6 sealed entries, 1 not')
  await sealEntries(opened.services)
  expect(await verify(one)).toMatchObject({ problem: null, seal: 4, unsealed: 0 })
})

test('an entry whose transaction commits late, with an earlier time, belongs to a later seal; one rolled back to none', async () => {
  const id = await newOrganization()
  const { store } = opened.services
  const late = await store.startTransaction().execute()
  const undone = await store.startTransaction().execute()
  await write(id, 'late', late)
  await write(id, 'undone', undone)
  clock.advance(5000)
  await write(id, 'early')
  await sealEntries(opened.services)
  await late.commit().execute()
  await undone.rollback().execute()
  await sealEntries(opened.services)
  const rows = await findRows(store, 'audit_entries', { organization_id: id }, sql`ORDER BY created_at`)
  expect(rows.map(({ object_name, seal }) => [object_name, seal])).toEqual([
    ['late', 2],
    ['early', 1],
  ])
  expect(await verify(id)).toMatchObject({ problem: null, seal: 2, entries: 2 })
})

test('long texts and lists are cut, and texts that PostgreSQL cannot store are cleaned', async () => {
  const id = await newOrganization()
  const { store } = opened.services
  const before = { text: 'x'.repeat(5000), odd: 'a\0b\ud800' }
  const after = { ids: Array.from({ length: 103 }, (_, index) => index) }
  await audit(store, {
    organizationId: id,
    action: 'export.updated',
    at: new Date(clock.now()),
    before,
    after,
  })
  await sealEntries(opened.services)
  const row = await findRow(store, 'audit_entries', { organization_id: id })
  expect(row?.before).toEqual({ text: `${'x'.repeat(2000)}…`, odd: 'ab\ufffd' })
  expect(row?.after?.['ids']).toEqual([...after.ids.slice(0, 100), 'and 3 more'])
  expect(await verify(id)).toMatchObject({ problem: null, entries: 1 })
})

test('processes that seal at the same time never fork the chain', async () => {
  const id = await newOrganization()
  for (let round = 0; round < 4; round++) {
    await write(id, `entry ${round}`)
    await Promise.all([1, 2, 3].map(() => sealEntries(opened.services)))
  }
  await sealEntries(opened.services)
  expect(await verify(id)).toMatchObject({ problem: null, seal: 4, entries: 4, unsealed: 0 })
})

test('no statement of the service changes or deletes an entry', async () => {
  const id = await sealedOrganization()
  const { store } = opened.services
  for (const statement of [
    sql`UPDATE audit_entries SET object_name = 'x' WHERE organization_id = ${id}`,
    sql`UPDATE audit_entries SET seal = 9 WHERE organization_id = ${id}`,
    sql`DELETE FROM audit_entries WHERE organization_id = ${id}`,
  ])
    await expect(statement.execute(store)).rejects.toThrow('cannot be changed')
  expect(await verify(id)).toMatchObject({ problem: null, entries: 6 })
})

/** Changes rows as someone with all rights in PostgreSQL can, without the triggers. */
async function tamper(work: (transaction: StoreTransaction) => Promise<unknown>): Promise<void> {
  await opened.services.store.transaction().execute(async (transaction) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction)
    await work(transaction)
  })
}

const tampering: Record<string, [(id: string) => ReturnType<typeof sql>, seal: number, reason: string]> = {
  'an altered entry': [
    (id) =>
      sql`UPDATE audit_entries SET after = '{"b": 2}' WHERE organization_id = ${id} AND object_id = 'b1'`,
    2,
    'was changed',
  ],
  'an entry with another time': [
    (id) => sql`UPDATE audit_entries SET created_at = created_at - interval '1 ms'
      WHERE organization_id = ${id} AND object_id = 'b1'`,
    2,
    'was changed',
  ],
  'a deleted entry': [
    (id) => sql`DELETE FROM audit_entries WHERE organization_id = ${id} AND object_id = 'a2'`,
    1,
    'covers 2 entries, but the log has 1',
  ],
  'an entry added to a seal': [
    (
      id,
    ) => sql`INSERT INTO audit_entries SELECT (jsonb_populate_record(entry, '{"id": "01900000-0000-7000-8000-000000000000"}')).*
      FROM audit_entries entry WHERE organization_id = ${id} AND object_id = 'c1'`,
    3,
    'covers 2 entries, but the log has 3',
  ],
  'an entry moved to another seal': [
    (id) => sql`UPDATE audit_entries SET seal = 3 WHERE organization_id = ${id} AND object_id = 'b2'`,
    2,
    'covers 2 entries, but the log has 1',
  ],
  'a deleted seal': [
    (id) => sql`DELETE FROM audit_seals WHERE organization_id = ${id} AND number = 2`,
    2,
    'is missing',
  ],
  'the newest seals deleted with their entries': [
    (id) => sql`WITH seals AS (DELETE FROM audit_seals WHERE organization_id = ${id} AND number > 1)
      DELETE FROM audit_entries WHERE organization_id = ${id} AND seal > 1`,
    2,
    'is missing',
  ],
  'the newest seal deleted, and the end of the chain moved': [
    (id) => sql`WITH gone AS (DELETE FROM audit_seals WHERE organization_id = ${id} AND number = 3),
      entries AS (DELETE FROM audit_entries WHERE organization_id = ${id} AND seal = 3)
      UPDATE audit_chains SET last_number = 2, last_hash = (
        SELECT hash FROM audit_seals WHERE organization_id = ${id} AND number = 2) WHERE organization_id = ${id}`,
    2,
    'signature that does not match',
  ],
  'the oldest seal deleted as if its retention had ended': [
    (
      id,
    ) => sql`WITH gone AS (DELETE FROM audit_seals WHERE organization_id = ${id} AND number = 1 RETURNING hash),
      entries AS (DELETE FROM audit_entries WHERE organization_id = ${id} AND seal = 1)
      UPDATE audit_chains SET removed_number = 1, removed_hash = (SELECT hash FROM gone) WHERE organization_id = ${id}`,
    3,
    'signature that does not match',
  ],
  'the end of the chain deleted': [
    (id) => sql`DELETE FROM audit_chains WHERE organization_id = ${id}`,
    1,
    'was added at the end',
  ],
}

test.each(Object.entries(tampering))(
  '%s is found, and stays found after more entries are sealed',
  async (_, change) => {
    const [statement, seal, reason] = change
    const id = await sealedOrganization()
    await tamper((transaction) => statement(id).execute(transaction))
    expect((await verify(id)).problem).toEqual({ seal, reason: expect.stringContaining(reason) })
    await write(id, 'later')
    await sealEntries(opened.services)
    expect((await verify(id)).problem).not.toBeNull()
    const { code, text } = await verifyChains(opened.services, id)
    expect([code, text]).toEqual([1, expect.stringContaining('NOT VALID: seal ')])
  },
)

test('entries are deleted after their retention; the rest verifies from a signed checkpoint', async () => {
  const id = await sealedOrganization()
  const { store } = opened.services
  await store.insertInto('audit_settings').values({ organization_id: id, retention_days: 30 }).execute()
  clock.advance(29 * 86_400_000)
  await write(id, 'recent')
  await sealEntries(opened.services)
  await removeOldEntries(opened.services)
  expect(await verify(id)).toMatchObject({ problem: null, removed: 0, entries: 7 })
  clock.advance(86_400_000)
  await write(id, 'not sealed')
  await removeOldEntries(opened.services)
  expect(await verify(id)).toMatchObject({ problem: null, seal: 4, removed: 3, entries: 1, unsealed: 2 })
  const trimmed = await findRow(store, 'audit_entries', { organization_id: id, action: 'audit_log.trimmed' })
  expect(trimmed?.after).toEqual({ entries: 6, until_seal: 3, retention_days: 30 })
  clock.advance(31 * 86_400_000)
  await sealEntries(opened.services)
  await removeOldEntries(opened.services)
  await sealEntries(opened.services)
  // The chain goes on from its end, although all seals were removed.
  expect(await verify(id)).toMatchObject({ problem: null, seal: 6, removed: 5, entries: 1 })
  expect(await countOf(store, sql`audit_seals WHERE organization_id = ${id}`)).toBe(1)
})

test('nothing is deleted while the chain has a signature that does not match', async () => {
  const id = await sealedOrganization()
  await tamper((transaction) =>
    sql`UPDATE audit_chains SET signature = 'forged' WHERE organization_id = ${id}`.execute(transaction),
  )
  clock.advance(4000 * 86_400_000)
  await removeOldEntries(opened.services)
  expect(await verify(id)).toMatchObject({ problem: { seal: 3 }, removed: 0, entries: 6 })
  clock.set('2026-03-04T10:00:00Z')
})
