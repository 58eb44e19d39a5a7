import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startRebinding } from '../testing/servers/test-rebinding.ts'
import {
  closeTestExports,
  createS3Export,
  failure,
  insertOnce,
  jobs,
  list,
  openTestExports,
  run,
  store,
} from '../testing/test-exports.ts'
import { tryDestination } from '../destinations/try-destination.ts'

beforeAll(() => openTestExports())
afterAll(closeTestExports)

async function rebinding(port = Number(new URL(store.endpoint).port)) {
  const found = await startRebinding(port)
  onTestFinished(() => found.stop())
  return found
}

test.each([{}, { max_file_size_mb: 1 }])(
  'an export with %j connects only to the address that was checked',
  async (config) => {
    await insertOnce()
    const { host, lookups, stray } = await rebinding()
    const prefix = `rebinding-${Object.keys(config).length}`
    const row = await createS3Export({ ...config, endpoint_url: `http://${host}`, prefix })
    const { files } = await run(row)
    expect(files).toHaveLength(1)
    expect(await list('S3', prefix)).toEqual(expect.arrayContaining(files))
    expect([lookups(), stray()]).toEqual([1, 0])
  },
)

test('a destination test connects only to the address that was checked', async () => {
  const { host, lookups, stray } = await rebinding()
  const row = await createS3Export({ endpoint_url: `http://${host}`, prefix: 'trial' })
  const { ok, steps } = await tryDestination(jobs.services, row, { limitMs: 60_000 })
  expect(ok, JSON.stringify(steps)).toBe(true)
  expect([lookups(), stray()]).toEqual([1, 0])
  // The trial has ended, so the next one resolves the name again.
  await tryDestination(jobs.services, row, { limitMs: 1000 })
  expect(lookups()).toBe(2)
})

test('an export over TLS connects only to the address that was checked', { tags: ['slow'] }, async () => {
  await insertOnce()
  let connections = 0
  const plain = createServer((socket) => {
    connections += 1
    // Left open: a client that notices the end first reports a lost connection.
    socket.write('not TLS')
  }).listen(0, '127.0.0.1')
  await once(plain, 'listening')
  onTestFinished(() => void plain.close())
  const address = plain.address()
  if (typeof address !== 'object' || !address) throw new Error('the server has no port')
  const { host, lookups, stray } = await rebinding(address.port)
  const row = await createS3Export({ endpoint_url: `https://${host}` })
  expect((await failure(row)).message).toContain('No secure connection')
  expect(connections).toBeGreaterThan(0)
  expect([lookups(), stray()]).toEqual([1, 0])
})
