import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { PostHog } from 'posthog-node'
import { readJsonLines, type ExportedRow } from './exported-rows.ts'
import { createExport, hoursAgo, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

const shown = 150

test('every event that posthog-node sends is exported once, and its calls for feature flags succeed', async ({
  service,
  tenant,
}) => {
  const client = new PostHog(tenant.project_token, { host: service.origin, flushAt: 20 })
  const errors: unknown[] = []
  client.on('error', (error) => errors.push(error))

  const properties = { path: '/lamps' }
  for (let index = 0; index < shown; index += 1)
    client.capture({ distinctId: `visitor-${index % 7}`, event: 'lamp shown', properties })
  client.identify({ distinctId: 'ada', properties: { email: 'ada@shop.example' } })
  client.setPersonProperties({ distinctId: 'ada', properties: { plan: 'pro' } })
  client.unsetPersonProperties({ distinctId: 'ada', properties: ['plan'] })
  client.alias({ distinctId: 'ada', alias: 'visitor-1' })
  client.groupIdentify({ groupType: 'company', groupKey: 'lamps', properties: { size: 3 } })
  client.captureException(new Error('The lamp could not be lit'), 'ada')
  await client.flush()

  await client.captureImmediate({ distinctId: 'ada', event: 'lamp bought', groups: { company: 'lamps' } })
  await client.identifyImmediate({ distinctId: 'eve', properties: { email: 'eve@shop.example' } })
  await client.aliasImmediate({ distinctId: 'eve', alias: 'visitor-2' })
  await client.groupIdentifyImmediate({ groupType: 'company', groupKey: 'shades', properties: {} })
  await client.captureExceptionImmediate(new TypeError('The shade does not fit'), 'eve')

  expect(await client.isFeatureEnabled('new-lamps', 'ada', { sendFeatureFlagEvents: false })).toBeFalsy()
  expect(await client.getFeatureFlag('new-lamps', 'ada', { sendFeatureFlagEvents: false })).toBeFalsy()
  expect(await client.getFeatureFlagPayload('new-lamps', 'ada')).toBeFalsy()
  expect(await client.getAllFlags('ada')).toEqual({})
  expect(await client.getAllFlagsAndPayloads('ada')).toMatchObject({ featureFlags: {} })
  expect((await client.evaluateFlags('ada')).keys).toEqual([])
  client.capture({ distinctId: 'ada', event: 'last', sendFeatureFlags: true })
  await client.shutdown()
  expect(errors).toEqual([])

  const rows = await exportedRows(service, tenant)
  const counts = Object.groupBy(rows, ({ event }) => event)
  expect(Object.fromEntries(Object.entries(counts).map(([event, all]) => [event, all?.length]))).toEqual({
    'lamp shown': shown,
    'lamp bought': 1,
    last: 1,
    $identify: 2,
    $set: 2,
    $create_alias: 2,
    $groupidentify: 2,
    $exception: 2,
  })
  expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(rows.length)
})

/** Exports the project's events of the last half hour to a folder, and returns its rows. */
async function exportedRows(service: RunningService, tenant: Tenant): Promise<ExportedRow[]> {
  const path = `node-${tenant.project_id}`
  const { id } = await createExport(service, tenant, {
    name: 'Node',
    interval: 'every 5 minutes',
    end_at: hoursAgo(0),
    destination: { type: 'File', config: { path } },
  })
  const request = async (method: string, action: string, body?: object) => {
    const url = `${service.origin}/api/projects/${tenant.project_id}/batch_exports/${id}/${action}/`
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return await response.json()
  }
  const after = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await request('POST', 'backfill', { start_at: after(-30), end_at: after(2) })
  const states = async () => {
    const { results }: { results: { status: string }[] } = await request('GET', 'backfills')
    return results.map(({ status }) => status)
  }
  await expect.poll(states, { timeout: 30_000 }).toEqual(['Completed'])
  const folder = join(service.dataDirectory, 'exports', String(tenant.project_id), path)
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  return readJsonLines(texts.join(''))
}
