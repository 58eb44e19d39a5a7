import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { PostHog } from 'posthog-node'
import { readJsonLines, type ExportedRow } from './exported-rows.ts'
import { createExport, hoursAgo, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

const shown = 150

test('every public call of posthog-node succeeds, and each of its events is exported once', async ({
  service,
  tenant,
}) => {
  await passBoundary()
  // Metrics, logs and traces are not captured; their requests must fail without an effect on events.
  const options = { host: service.origin, flushAt: 20, metrics: {}, logs: {}, traces: {} }
  const client = new PostHog(tenant.project_token, options)
  const errors: unknown[] = []
  client.on('error', (error) => errors.push(error))
  // In this order: the last call shuts the client down.
  const calls = {
    ...settingCalls(client, service),
    ...eventCalls(client),
    ...flagCalls(client),
    ...otherCalls(client),
  }
  expect(Object.keys(calls).toSorted()).toEqual((await publicMembers(client)).toSorted())
  const results: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(calls)) results[name] = await call()
  expect(results).toMatchObject({ getAllFlags: {}, isLocalEvaluationReady: false })
  for (const name of ['isFeatureEnabled', 'getFeatureFlag', 'getFeatureFlagPayload', 'getFeatureFlagResult'])
    expect(results[name], name).toBeFalsy()
  expect(errors).toEqual([])

  const rows = await exportedRows(service, tenant)
  const counts = Object.groupBy(rows, ({ event }) => event)
  expect(Object.fromEntries(Object.entries(counts).map(([event, all]) => [event, all?.length]))).toEqual({
    'lamp shown': shown,
    'lamp bought': 1,
    'in a context': 1,
    last: 1,
    $ai_generation: 2,
    $identify: 2,
    $set: 2,
    $create_alias: 2,
    $groupidentify: 2,
    $exception: 2,
  })
  expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(rows.length)
})

test('with a personal key, posthog-node finds no flags to evaluate locally, and still sends every event', async ({
  service,
  tenant,
}) => {
  const options = { host: service.origin, secretKey: tenant.api_key }
  const client = new PostHog(tenant.project_token, options)
  const errors: unknown[] = []
  client.on('error', (error) => errors.push(error))
  expect(await client.waitForLocalEvaluationReady(100)).toBe(false)
  await client.reloadFeatureFlags()
  expect(await client.isFeatureEnabled('new', 'ada', { sendFeatureFlagEvents: false })).toBeFalsy()
  expect(await client.getAllFlags('ada')).toEqual({})
  await client.captureImmediate({ distinctId: 'ada', event: 'lamp bought' })
  await client.shutdown()
  expect(errors).toEqual([])
})

type Calls = Record<string, () => unknown>

const ada = 'ada'

function settingCalls(client: PostHog, service: RunningService): Calls {
  return {
    debug: () => client.debug(false),
    disable: () => client.disable(),
    enable: () => client.enable(),
    optOut: () => client.optOut(),
    optIn: () => client.optIn(),
    on: () => client.on('flush', () => undefined)(),
    apiKey: () => client.apiKey,
    isDebug: () => client.isDebug,
    isDisabled: () => client.isDisabled,
    optedOut: () => client.optedOut,
    distinctIdHasSentFlagCalls: () => client.distinctIdHasSentFlagCalls,
    getLibraryVersion: () => client.getLibraryVersion(),
    getCustomUserAgent: () => client.getCustomUserAgent(),
    getErrorPropertiesBuilder: () => client.getErrorPropertiesBuilder(),
    getPersistedProperty: () => client.getPersistedProperty('distinct_id' as never),
    setPersistedProperty: () => client.setPersistedProperty('distinct_id' as never, null),
    addPendingPromise: () => client.addPendingPromise(Promise.resolve()),
    fetch: () => client.fetch(`${service.origin}/flags/`, { method: 'POST', headers: {} }),
  }
}

function eventCalls(client: PostHog): Calls {
  return {
    register: () => client.register({ shop: 'lamps' }),
    unregister: () => client.unregister('shop'),
    capture: () => {
      const properties = { path: '/lamps' }
      for (let index = 0; index < shown; index += 1)
        client.capture({ distinctId: `visitor-${index % 7}`, event: 'lamp shown', properties })
    },
    captureImmediate: () =>
      client.captureImmediate({ distinctId: ada, event: 'lamp bought', groups: { company: 'lamps' } }),
    captureAi: () => client.captureAi({ distinctId: ada, event: '$ai_generation' }),
    captureAiImmediate: () => client.captureAiImmediate({ distinctId: ada, event: '$ai_generation' }),
    identify: () => client.identify({ distinctId: ada, properties: { email: 'ada@shop.example' } }),
    identifyImmediate: () => client.identifyImmediate({ distinctId: 'eve', properties: {} }),
    setPersonProperties: () => client.setPersonProperties({ distinctId: ada, properties: { plan: 'pro' } }),
    unsetPersonProperties: () => client.unsetPersonProperties({ distinctId: ada, properties: ['plan'] }),
    alias: () => client.alias({ distinctId: ada, alias: 'visitor-1' }),
    aliasImmediate: () => client.aliasImmediate({ distinctId: 'eve', alias: 'visitor-2' }),
    groupIdentify: () => client.groupIdentify({ groupType: 'company', groupKey: 'lamps' }),
    groupIdentifyImmediate: () => client.groupIdentifyImmediate({ groupType: 'company', groupKey: 'shades' }),
    captureException: () => client.captureException(new Error('The lamp could not be lit'), ada),
    captureExceptionImmediate: () => client.captureExceptionImmediate(new TypeError('It does not fit'), ada),
    prepareEventMessage: () => client.prepareEventMessage({ distinctId: ada, event: 'never sent' }),
    withContext: () =>
      client.withContext({ distinctId: 'eve' }, () => {
        client.enterContext({ sessionId: 'shop' })
        client.capture({ event: 'in a context' })
        return client.getContext()
      }),
    enterContext: () => client.withContext({}, () => client.enterContext({})),
    getContext: () => client.getContext(),
  }
}

function flagCalls(client: PostHog): Calls {
  const flag = { sendFeatureFlagEvents: false }
  return {
    isFeatureEnabled: () => client.isFeatureEnabled('new', ada, flag),
    getFeatureFlag: () => client.getFeatureFlag('new', ada, flag),
    getFeatureFlagPayload: () => client.getFeatureFlagPayload('new', ada),
    getFeatureFlagResult: () => client.getFeatureFlagResult('new', ada, flag),
    getAllFlags: () => client.getAllFlags(ada),
    getAllFlagsAndPayloads: () => client.getAllFlagsAndPayloads(ada),
    evaluateFlags: () => client.evaluateFlags(ada),
    reloadFeatureFlags: () => client.reloadFeatureFlags(),
    overrideFeatureFlags: () => client.overrideFeatureFlags(false),
    isLocalEvaluationReady: () => client.isLocalEvaluationReady(),
    waitForLocalEvaluationReady: () => client.waitForLocalEvaluationReady(10),
    getFeatureFlagEvaluationRuntime: () => client.getFeatureFlagEvaluationRuntime('new'),
    getFeatureFlagKeysByEvaluationRuntime: () =>
      client.getFeatureFlagKeysByEvaluationRuntime('server' as never),
    // A client without a personal key refuses this call itself.
    getRemoteConfigPayload: () =>
      expect(client.getRemoteConfigPayload('new')).rejects.toThrow('Personal API key'),
  }
}

function otherCalls(client: PostHog): Calls {
  return {
    getSurveysStateless: () => client.getSurveysStateless(),
    captureLog: () => client.captureLog({ body: 'The lamp is on', level: 'info' }),
    logger: () => client.logger.info('The lamp is on'),
    metrics: () => client.metrics.count('lamps', 1),
    startSpan: () => client.startSpan('light').end(),
    withSpan: () => client.withSpan('light', () => client.getActiveSpan()),
    getActiveSpan: () => client.getActiveSpan(),
    emails: () => client.emails,
    flush: () => client.flush(),
    shutdown: () => {
      client.capture({ distinctId: ada, event: 'last', sendFeatureFlags: true })
      return client.shutdown()
    },
  }
}

/** Lists the public methods and accessors of a client: those that the installed version's types declare. */
async function publicMembers(client: PostHog): Promise<string[]> {
  const packages = join(import.meta.dirname, '../node_modules')
  const files = ['posthog-node/dist/client.d.ts', '@posthog/core/dist/posthog-core-stateless.d.ts']
  const types = (await Promise.all(files.map((file) => readFile(join(packages, file), 'utf8')))).join('\n')
  const declared = new Set(
    Array.from(types.matchAll(/^ {4}(?:get )?([a-z]\w*)[<(]/gm), ([, name = '']) => name),
  )
  const members = new Set<string>()
  for (let type: object = client; type !== Object.prototype; type = Object.getPrototypeOf(type) as object)
    for (const name of Object.getOwnPropertyNames(type)) members.add(name)
  return [...members].filter((name) => declared.has(name) && name !== 'constructor')
}

/** Exports the project's events of the last half hour to a folder, and returns its rows. */
/** Waits until no five minutes end soon: windows before the new export's schedule select rows by time, later ones by arrival. */
async function passBoundary(): Promise<void> {
  const left = () => 300_000 - (Date.now() % 300_000)
  await expect.poll(left).toBeGreaterThan(10_000)
}

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
