import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createExport, s3Destination } from '../../testing/test-rows.ts'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
})
afterAll(() => service.stop())

const exportsPath = '/api/projects/@current/batch_exports/'
let buckets = 0
function bucket(change: object = {}) {
  buckets += 1
  return { ...s3Destination, config: { ...s3Destination.config, prefix: `${buckets}/`, ...change } }
}
const slowly = { endpoint_url: 'http://127.0.0.1:9' }

/** Sends a request while the name server does not answer; `during` runs before it does. */
async function sendSlowly(send: () => ReturnType<TestService['request']>, during: () => Promise<void>) {
  const { hosts } = service.services
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { pin } = hosts
  const pinned = vi.spyOn(hosts, 'pin').mockImplementation(async (...args) => {
    asked.resolve()
    await answers.promise
    return pin(...args)
  })
  try {
    const response = send()
    await asked.promise
    await during()
    answers.resolve()
    return await response
  } finally {
    pinned.mockRestore()
  }
}

async function openTransactions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`.execute(
    service.services.store,
  )
  return rows[0]?.count ?? NaN
}

test.each<[string, () => Promise<() => ReturnType<TestService['request']>>]>([
  [
    'a creation',
    async () => () =>
      service.request('POST', exportsPath, {
        body: { name: 'New', interval: 'hour', destination: bucket(slowly) },
      }),
  ],
  [
    'an edit',
    async () => {
      const { id } = await createExport(service, { destination: bucket() })
      return () => service.request('PATCH', `${exportsPath}${id}/`, { body: { destination: bucket(slowly) } })
    },
  ],
  [
    'a revert',
    async () => {
      const { id } = await createExport(service, { destination: bucket(slowly) })
      const path = `${exportsPath}${id}/`
      await service.request('PATCH', path, {
        body: { destination: { type: 'S3', config: { compression: 'gzip' } } },
      })
      const changes = '/api/projects/@current/batch_export_changes/'
      const { body } = await service.request('GET', `${changes}?batch_export=${id}`)
      const [newest] = (body as { results: { id: string }[] }).results
      return () => service.request('POST', `${changes}${newest?.id}/revert/`, { body: {} })
    },
  ],
  [
    'applied definitions',
    async () => () =>
      service.request('POST', `${exportsPath}apply/`, {
        body: { exports: [{ name: 'Applied', interval: 'hour', destination: bucket(slowly) }] },
      }),
  ],
])('%s keeps no transaction open while a name server does not answer', async (_, prepare) => {
  const response = await sendSlowly(await prepare(), async () => expect(await openTransactions()).toBe(0))
  expect(response.status, response.text).toBeLessThan(300)
})

test('definitions are applied to a project one request at a time', async () => {
  const apply = (name: string) =>
    service.request('POST', `${exportsPath}apply/`, {
      body: { exports: [{ name, interval: 'hour', destination: bucket(slowly) }] },
    })
  const first = await sendSlowly(
    () => apply('First'),
    async () => {
      const second = await apply('Second')
      expect([second.status, problemOf(second).detail]).toEqual([
        409,
        'Other definitions are being applied to this project: try again when that has finished.',
      ])
    },
  )
  expect([first.status, (await apply('Second')).status]).toEqual([200, 200])
})
