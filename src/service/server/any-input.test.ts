import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { roles } from '../../contract/accounts/roles.ts'
import { alertKinds } from '../../contract/alerts/alert-rule.ts'
import { bulkActions } from '../../contract/bulk-action.ts'
import { integrationKindNames } from '../../contract/destinations/integration-kind-names.ts'
import { runOrderings } from '../../contract/runs/batch-export-run.ts'
import { runStatuses } from '../../contract/runs/run-status.ts'
import { endpoints, type Endpoint, type PathObject } from '../../contract/endpoints.ts'
import { propertyOperators, recordingOrders } from '../../contract/recordings/recording-filter.ts'
import { SharingConfiguration } from '../../contract/recordings/sharing.ts'
import { connectionConfigs } from '../testing/test-integrations.ts'
import { newObjects } from '../testing/test-place.ts'
import { createExport } from '../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../testing/test-service.ts'

type NewObjects = Record<PathObject, () => Promise<string>>

let service: TestService
/** Ids of new objects of the kinds that the endpoint's path names, so that requests pass the path check. */
let existing: Partial<Record<PathObject, string>>

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  // Lists have an item of every kind.
  for (const make of Object.values(await create())) await make()
})
afterAll(() => service.stop())

/** Returns functions that create an object of each kind, and the export or the recording that it belongs to. */
async function create(): Promise<NewObjects> {
  const { store } = service.services
  const made = await createExport(service)
  const objects = newObjects(service, service.own.project_id, made)
  return {
    ...objects,
    project: async () => '@current',
    organization: async () => '@current',
    async link() {
      const sharing = `/api/projects/@current/session_recordings/${await objects.recording()}/sharing/`
      const response = await service.request('PATCH', sharing, { body: { enabled: true } })
      return bodyOf(SharingConfiguration, response).access_token
    },
    async alertChannel() {
      // Otherwise the project would soon have as many channels as it may have.
      await store.deleteFrom('alert_channels').execute()
      return objects.alertChannel()
    },
  }
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    '-1',
    '99999999999999999999',
    'null',
    '%',
    '..',
  ),
  fc.constantFrom('2026-01-01T00:00:00Z', '0001-01-01', '9999-12-31T23:59:59+23:59', '2026-02-30', 'now()'),
)
const oddValue = fc.oneof(
  oddText,
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, [], {}, [null], { type: 'S3' }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Plausible values of known fields mixed with arbitrary ones, so that inputs pass the first check, too. */
const config = fc.dictionary(
  fc.constantFrom(
    'path',
    'bucket_name',
    'region',
    'prefix',
    'compression',
    'file_format',
    'include_events',
    'junk',
  ),
  fc.oneof(oddValue, fc.constantFrom('gzip', 'Parquet', 'a/b', 'x')),
)
const destination = fc.record(
  { type: fc.oneof(fc.constantFrom('S3', 'File'), oddValue), config: fc.oneof(config, oddValue) },
  { requiredKeys: [] },
)
/** A complete config of a connection with one odd value. */
const connection = fc
  .tuple(
    fc.constantFrom(...Object.values(connectionConfigs)),
    fc.constantFrom(
      'name',
      'host',
      'port',
      'password',
      'endpoint_url',
      'connection_string',
      'verify',
      'junk',
    ),
    oddValue,
  )
  .map(([complete, field, value]) => ({ name: 'a', ...complete, [field]: value }))
const definition = fc.record(
  {
    name: fc.oneof(fc.constantFrom('a', 'b'), oddValue),
    interval: fc.oneof(fc.constant('hour'), oddValue),
    destination: fc.oneof(fc.constant({ type: 'File', config: { path: 'defined' } }), destination),
    tags: oddValue,
    paused: oddValue,
  },
  { requiredKeys: ['name', 'interval', 'destination'] },
)
const body = fc.oneof(
  oddValue,
  fc.record(
    {
      exports: fc.oneof(fc.array(definition, { maxLength: 3 }), oddValue),
      dry_run: fc.oneof(fc.boolean(), oddValue),
      prune: fc.oneof(fc.constant(false), oddValue),
      name: oddValue,
      interval: fc.oneof(fc.constantFrom('hour', 'week'), oddValue),
      destination: fc.oneof(destination, oddValue, fc.constant({ type: 'File', config: { path: 'a' } })),
      model: fc.oneof(fc.constantFrom('events', 'persons', 'recordings'), oddValue),
      hogql_query: fc.oneof(fc.constantFrom('SELECT event FROM events', 'SELECT 1 +'), oddValue),
      paused: oddValue,
      start_at: oddValue,
      end_at: oddValue,
      last_paused_at: oddValue,
      team_id: oddValue,
      status: fc.oneof(fc.constantFrom(...runStatuses), oddValue),
      label: oddValue,
      tags: fc.oneof(fc.array(oddText), oddValue),
      owner: oddValue,
      note: oddValue,
      scopes: fc.oneof(fc.constant(['*']), oddValue),
      issuer: fc.oneof(fc.constantFrom('http://127.0.0.1:9/', 'https://10.0.0.1', 'ftp://a'), oddValue),
      client_id: fc.oneof(fc.constant('a'), oddValue),
      client_secret: fc.oneof(fc.constant('a'), oddValue),
      groups_claim: oddValue,
      allowed_domains: fc.oneof(fc.constant(['a.example']), oddValue),
      mappings: fc.oneof(
        fc.constant([{ group: 'a', role: 'editor', project_roles: { 1: 'analyst' } }]),
        oddValue,
      ),
      scoped_teams: oddValue,
      scoped_organizations: oddValue,
      backfill: oddValue,
      id: oddValue,
      cloned_from: oddValue,
      include_events: oddValue,
      exclude_events: fc.oneof(fc.constant(['a']), oddValue),
      viewed: oddValue,
      at: fc.oneof(fc.constant(3), oddValue),
      text: oddValue,
      session_recording_id: oddValue,
      enabled: oddValue,
      password: fc.oneof(fc.constant('sixteen purple tea cups'), oddValue),
      key: oddValue,
      link: oddValue,
      token: oddValue,
      step: fc.oneof(fc.constant('a'), oddValue),
      code: fc.oneof(fc.constant('123456'), oddValue),
      recovery_code: oddValue,
      passkey: oddValue,
      credential: oddValue,
      first_name: oddValue,
      role: fc.oneof(fc.constantFrom(...roles), oddValue),
      project_roles: fc.oneof(fc.constantFrom(null, { 1: 'editor' }, { 4000000000: 'admin' }), oddValue),
      email: fc.oneof(fc.constant('a@b.example'), oddValue),
      is_service: oddValue,
      expires_at: fc.oneof(fc.constant('2027-01-01T00:00:00Z'), oddValue),
      session_recording_ids: fc.oneof(fc.constant(['a']), oddValue),
      action: fc.oneof(fc.constantFrom(...bulkActions), oddValue),
      ids: fc.oneof(fc.constant(['a']), fc.array(oddText), oddValue),
      filter: fc.oneof(fc.constant({}), fc.constant({ properties: '[]' }), oddValue),
      person: oddValue,
      distinct_id: oddValue,
      kind: fc.oneof(fc.constantFrom(...alertKinds, ...integrationKindNames), oddValue),
      config: fc.oneof(connection, oddValue),
      level: fc.oneof(fc.constantFrom('organization', 'project', 'export'), oddValue),
      batch_export: oddValue,
      channels: fc.oneof(fc.constant(null), fc.array(oddText), oddValue),
      until: oddValue,
      type: fc.oneof(fc.constantFrom('webhook', 'slack', 'email'), oddValue),
      url: fc.oneof(fc.constant('http://127.0.0.1:9/'), oddValue),
      signing_secret: oddValue,
      recipients: fc.oneof(fc.constant(['a@b.example']), oddValue),
    },
    { requiredKeys: [] },
  ),
)
/** An almost valid filter of recordings. */
const filter = fc.record(
  {
    id: fc.oneof(fc.constantFrom('$pageview', null), oddValue),
    key: fc.oneof(fc.constantFrom('$browser', 'level', 'message', 'click_count', 'host', 'status'), oddText),
    value: fc.oneof(fc.constantFrom('x', ['x'], '('), oddValue),
    operator: fc.oneof(fc.constantFrom(...propertyOperators), oddText),
    type: fc.oneof(fc.constantFrom('event', 'person', 'recording', 'log_entry'), oddText),
  },
  { requiredKeys: [] },
)
const json = fc
  .oneof(fc.array(filter, { maxLength: 2 }), fc.constant(['a']), oddValue)
  .map((value) => JSON.stringify(value))
const jsonNames = [
  'session_ids',
  'distinct_ids',
  'events',
  'actions',
  'properties',
  'console_log_filters',
  'failed_request_filters',
]
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom('limit', 'offset', 'cursor', 'ordering', 'status', 'after', 'before', 'start', 'end'),
    fc.constantFrom('level', 'search', 'date_from', 'date_to', 'person_uuid', 'order', 'order_direction'),
    fc.constantFrom('session_recording_id', 'snapshot_source', 'source', 'start_blob_key', 'end_blob_key'),
    oddText,
  ),
  fc.oneof(
    fc.constantFrom(...runOrderings, ...runStatuses, ...recordingOrders, 'asc', '-7d', '0', 'blob_v2'),
    oddText,
  ),
)
const query = fc.array(fc.oneof(parameter, fc.tuple(fc.constantFrom(...jsonNames), json)), { maxLength: 5 })
/** Path parameters: 0 to 3 become the id of the right object, 4 that of another object; text is used unchanged. */
const pathParts = fc.array(fc.oneof(fc.nat({ max: 4 }), oddText), { minLength: 3, maxLength: 3 })
const given = fc.record({
  query,
  body,
  pathParts,
  rawQuery: fc.oneof(fc.constant(''), fc.constantFrom('%', '%zz=%', '&&=')),
})

/** Endpoints in groups that take the same objects, parameters and body; each group has one test. */
const groups: Endpoint[][] = []
for (const endpoint of Object.values<Endpoint>(endpoints)) {
  const group = groups.find(([first]) => first && takesTheSame(first, endpoint))
  if (group) group.push(endpoint)
  else groups.push([endpoint])
}
const table = groups.map(
  (group) => [group.map(({ method, path }) => `${method} ${path}`).join(', '), group] as const,
)

test.each(table)('%s: no input causes a 5xx, and every error has the error shape', async (_, group) => {
  const objects = await create()
  existing = {}
  // A channel in any case, because endpoints without one in their path refer to the project's channels.
  for (const object of ['backfill', 'alertChannel', ...group.flatMap(objectsOf)] as const)
    existing[object] ??= await objects[object]()
  const property = fc.asyncProperty(given, fc.constantFrom(...group), async (input, endpoint) => {
    const response = await service.request(
      endpoint.method,
      urlOf(endpoint, input),
      bodyFor(endpoint, input.body),
    )
    expect(response.status, response.text).toBeLessThan(500)
    if (response.status >= 400) problemOf(response)
    else if (endpoint.status !== 204 && !endpoint.produces) endpoint.response.parse(response.body)
  })
  await fc.assert(property, { numRuns: 6 + 6 * group.length, interruptAfterTimeLimit: 1500 })
})

test('no path, method or header causes a 5xx', async () => {
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE')
  const header = fc.string({ unit: fc.constantFrom(...'az09 \t,;:=/*"%\u00e9') })
  const property = fc.asyncProperty(
    method,
    fc.webPath(),
    oddText,
    header,
    async (method, path, text, value) => {
      const url = `/api${path}/${encodeText(text)}`
      const headers = {
        'content-type': value,
        'x-request-id': value,
        host: value,
        'x-forwarded-proto': value,
      }
      const response = await service.request(method, url, {
        headers,
        ...(method === 'POST' && { raw: value }),
      })
      expect(response.status, response.text).toBeLessThan(500)
    },
  )
  await fc.assert(property, { numRuns: 200, interruptAfterTimeLimit: 5000 })
})

function urlOf(endpoint: Endpoint, input: z.infer<typeof Given>): string {
  let index = 0
  const path = endpoint.path.replaceAll(/:\w+/g, (name) => {
    const part = input.pathParts[index++] ?? ''
    // Numbers ensure that many requests name existing objects in the right positions.
    if (typeof part === 'number') return part < 4 ? existingId(endpoint, name) : (existing.backfill ?? '')
    // Clients resolve dot segments before they send a request.
    return /^\.+$/.test(part) ? 'dots' : encodeText(part)
  })
  const search = input.query.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`)
  return `${path}?${[...search, input.rawQuery].join('&')}`
}

function takesTheSame(one: Endpoint, other: Endpoint): boolean {
  const objects = [one, other].map((endpoint) => objectsOf(endpoint).toSorted().join())
  return one.query === other.query && one.body === other.body && objects[0] === objects[1]
}

function objectsOf({ loads = {} }: Endpoint): PathObject[] {
  return Object.keys(loads) as PathObject[]
}

function existingId({ loads = {} }: Endpoint, name: string): string {
  const object = Object.entries(loads).find(([, param]) => name === `:${param}`)?.[0]
  return (object && existing[object as PathObject]) ?? ''
}

const Given = z.object({
  query: z.array(z.tuple([z.string(), z.string()])),
  pathParts: z.array(z.union([z.number(), z.string()])),
  rawQuery: z.string(),
})

function bodyFor(endpoint: Endpoint, value: unknown): { body?: unknown } {
  return endpoint.body && value !== undefined ? { body: value } : {}
}

/** Percent-encodes text; lone surrogates become the bytes that some clients send for them. */
function encodeText(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}
