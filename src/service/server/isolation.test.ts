import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allowsScope, scopes } from '../../contract/accounts/scopes.ts'
import { endpoints, type Endpoint } from '../../contract/endpoints.ts'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { pathTo, placeOf, type Place } from '../testing/test-place.ts'
import { createExport, exportInput } from '../testing/test-rows.ts'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'

let service: TestService
let own: Place
let second: Place
/** Of another organization. */
let other: Place
let batchExport: BatchExport
/** A key for each scope, with that scope alone. */
const keyOf = new Map<string, string>()

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  batchExport = await createExport(service)
  own = await placeOf(service, service.own.project_id, batchExport)
  const path = `/api/projects/${service.secondProjectId}/batch_exports/`
  second = await placeOf(service, service.secondProjectId, await createExport(service, {}, path))
  const elsewhere = {
    ...service,
    own: service.other,
    request: (method: string, url: string, options: object = {}) =>
      service.request(method, url, { key: service.other.api_key, ...options }),
  }
  const otherPath = `/api/projects/${service.other.project_id}/batch_exports/`
  other = await placeOf(elsewhere, service.other.project_id, await createExport(elsewhere, {}, otherPath))
  for (const scope of scopes) keyOf.set(scope, await service.newKey({ scopes: [scope] }))
})
afterAll(() => service.stop())

/** Returns the error for an unknown id; a path that cannot be decoded is not a path of the API. */
function notFoundDetail({ loads }: Endpoint, id = ''): string {
  return loads?.recording && id !== '%ff' ? 'Recording not found' : 'Not found.'
}

function ask(endpoint: Endpoint, path: string, key?: string) {
  const body = endpoint.body ? { body: { junk: true } } : {}
  return service.request(endpoint.method, path, { ...body, ...(key !== undefined && { key }) })
}

const table = Object.entries<Endpoint>(endpoints)
  .filter(([, { loads }]) => !loads?.link)
  .map(([name, endpoint]) => [name, `${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe.each(table)('%s: %s', (_name, _path, endpoint) => {
  test('without a key: 401, and how to authenticate', async () => {
    const response = await ask(endpoint, pathTo(endpoint, own), '')
    expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(problemOf(response)).toMatchObject({
      type: 'authentication_error',
      code: 'not_authenticated',
      detail: 'Authentication credentials were not provided.',
      attr: null,
    })
  })

  test('with an unknown key: 401', async () => {
    const response = await ask(endpoint, pathTo(endpoint, own), 'phx_unknown')
    expect(response.status).toBe(401)
    expect(problemOf(response)).toMatchObject({
      type: 'authentication_error',
      code: 'authentication_failed',
      detail: 'Personal API key found in request Authorization header is invalid.',
    })
  })

  test.runIf(endpoint.scope)('with a key of any other scope: 403, before anything else', async () => {
    const nowhere = pathTo(endpoint, { ...own, project: 'none', organization: 'none' })
    for (const scope of scopes.filter((granted) => !allowsScope([granted], endpoint.scope ?? ''))) {
      const response = await ask(endpoint, nowhere, keyOf.get(scope))
      expect(response.status, scope).toBe(403)
      expect(problemOf(response)).toMatchObject({
        type: 'authentication_error',
        code: 'permission_denied',
        detail: `API key missing required scope '${endpoint.scope}'`,
      })
    }
  })

  const { project: isProject, organization: isOrganization, ...objects } = endpoint.loads ?? {}
  const namesObject = Object.keys(objects).length > 0

  test.runIf(isProject)('in a project of another organization: 403', async () => {
    const response = await ask(
      endpoint,
      pathTo(endpoint, { ...own, project: String(service.other.project_id) }),
    )
    expect(response.status).toBe(403)
    expect(problemOf(response)).toMatchObject({
      type: 'authentication_error',
      code: 'permission_denied',
      detail: "You don't have access to the project.",
    })
  })

  test.runIf(isProject)('in a project that the key cannot access: 403', async () => {
    const key = await service.newKey({ projects: [service.secondProjectId] })
    const response = await ask(endpoint, pathTo(endpoint, own), key)
    expect(response.status).toBe(403)
    expect(problemOf(response).detail).toBe(
      `API key does not have access to the requested project: ID ${service.own.project_id}.`,
    )
  })

  test.runIf(isProject || isOrganization)('in an organization that the key cannot access: 403', async () => {
    const key = await service.newKey({ organizations: [service.other.organization_id] })
    const response = await ask(endpoint, pathTo(endpoint, own), key)
    expect(response.status).toBe(403)
    expect(problemOf(response).detail).toBe(
      `API key does not have access to the requested organization: ID ${service.own.organization_id}.`,
    )
  })

  test.runIf(isProject)('in an unknown project: 404', async () => {
    for (const project of ['2000000000', '99999999999', 'abc', '1.5', '-1', '%00']) {
      const response = await ask(endpoint, pathTo(endpoint, { ...own, project }))
      expect(response.status, project).toBe(404)
      expect(problemOf(response)).toMatchObject({ type: 'invalid_request', detail: 'Project not found.' })
    }
  })

  test.runIf(isOrganization)('in another organization: 403, in an unknown one: 404', async () => {
    const organization = service.other.organization_id
    const response = await ask(endpoint, pathTo(endpoint, { ...own, organization }))
    expect([response.status, problemOf(response).code]).toEqual([403, 'permission_denied'])
    for (const name of ['abc', '01900000-0000-7000-8000-000000000000']) {
      const none = await ask(endpoint, pathTo(endpoint, { ...own, organization: name }))
      expect([none.status, problemOf(none).detail]).toEqual([404, 'Organization not found.'])
    }
  })

  test.runIf(namesObject && isProject)('an object of another project of the organization: 404', async () => {
    const response = await ask(endpoint, pathTo(endpoint, { ...second, project: own.project }))
    expect([response.status, problemOf(response).detail]).toEqual([404, notFoundDetail(endpoint)])
  })

  test.runIf(namesObject)('an unknown or malformed id: 404', async () => {
    for (const id of ['abc', '01900000-0000-7000-8000-000000000000', '%ff', 'a%00b']) {
      const nothing = {
        ...own,
        batchExport: id,
        batchExportChange: id,
        run: id,
        backfill: id,
        recording: id,
        recordingNote: id,
        recordingCollection: id,
        apiKey: id,
        bulkAction: id,
        alertRule: id,
        alertChannel: id,
        incident: id,
        repairPlan: id,
        groupSummary: id,
        recordingView: id,
        person: id,
      }
      const response = await ask(endpoint, pathTo(endpoint, nothing))
      expect([response.status, problemOf(response).detail], id).toEqual([404, notFoundDetail(endpoint, id)])
    }
  })

  test.runIf(isOrganization && namesObject)(
    'an object of a project that the key cannot access: 404',
    async () => {
      const key = await service.newKey({ projects: [service.secondProjectId] })
      const response = await ask(endpoint, pathTo(endpoint, own), key)
      expect([response.status, problemOf(response).detail]).toEqual([404, 'Not found.'])
    },
  )
})

test('a run or a backfill of another export of the same project is not found', async () => {
  const other = await createExport(service)
  for (const path of [`runs/${own.run}/`, `backfills/${own.backfill}/`]) {
    const base = `/api/projects/${own.project}/batch_exports/`
    expect((await service.request('GET', `${base}${own.batchExport}/${path}`)).status).toBe(200)
    expect((await service.request('GET', `${base}${other.id}/${path}`)).status).toBe(404)
  }
})

/** Returns the paths of the fields in a schema that contain texts or numbers, with the names of arrays' fields. */
function fieldsOf(schema: z.core.JSONSchema._JSONSchema, path: readonly string[] = []): string[][] {
  if (typeof schema === 'boolean') return []
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => fieldsOf(field, [...path, name])),
    ...variants.flatMap((variant) => fieldsOf(variant, path)),
    ...(path.length > 0 && /string|integer|number|array/.test(String(schema.type)) ? [[...path]] : []),
  ]
}

/** What the fields of bodies and queries identify; a field with one of these names in a new endpoint is tested too. */
const identified: Record<string, keyof Place> = {
  team_id: 'project',
  cloned_from: 'batchExport',
  id: 'batchExport',
  batch_export: 'batchExport',
  batch_export_ids: 'batchExport',
  backfill: 'backfill',
  session_ids: 'recording',
  session_recording_id: 'recording',
  session_recording_ids: 'recording',
  collection: 'recordingCollection',
  channels: 'alertChannel',
}
const lists = ['ids', 'batch_export_ids', 'session_ids', 'session_recording_ids', 'channels']

/** The rest of a valid body or query. */
const rests: Record<string, (field: string) => object> = {
  createOrganizationBatchExport: () => ({ ...exportInput, team_id: Number(own.project) }),
  createBatchExport: () => exportInput,
  createBulkAction: (field) => ({
    action: /ids|collection/.test(field) ? 'delete_recordings' : 'export_windows',
    ...(field.startsWith('filter.') &&
      field !== 'filter.collection' && { filter: { batch_export: own.batchExport } }),
  }),
  bulkUpdateSharing: () => ({ enabled: true }),
  matchedMoments: () => ({ session_ids: [own.recording] }),
  matchingEvents: () => ({ session_ids: [own.recording], events: [{ id: '$pageview' }] }),
  testConnection: () => ({ destination: { type: 'File', config: { path: 'test' } } }),
  createAlertRule: () => ({ kind: 'failed', level: 'export', batch_export: own.batchExport }),
  createRecordingNote: () => ({ at: 0, text: 'A note' }),
}

type Foreign = {
  name: string
  endpoint: Endpoint
  part: 'body' | 'query'
  field: string
  object: keyof Place
}
const foreignFields = table.flatMap(([name, , endpoint]) =>
  (['body', 'query'] as const).flatMap((part): Foreign[] => {
    const schema = endpoint[part]
    if (!schema) return []
    const fields = fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    return [...new Set(fields.map((path) => path.join('.')))].flatMap((field) => {
      const last = field.split('.').at(-1) ?? ''
      const object = last === 'ids' ? 'recording' : identified[last]
      return object ? [{ name, endpoint, part, field, object }] : []
    })
  }),
)

test('the table has fields that contain ids', () => {
  expect(foreignFields.length).toBeGreaterThan(25)
})

const owners = ['project', 'organization'] as const

test.each(owners.flatMap((owner) => foreignFields.map((foreign) => ({ ...foreign, owner }))))(
  '$name: a $object of another $owner in the $part as $field is unknown',
  async ({ name, endpoint, part, field, object, owner }) => {
    const place = owner === 'project' ? second : other
    const key = await service.newKey({ projects: [service.own.project_id] })
    const [last = '', ...outer] = field.split('.').toReversed()
    const send = async (id: string) => {
      const value = object === 'project' ? Number(id) : id
      const rest: Record<string, object> = { ...rests[name]?.(field) }
      const changed = outer.reduce<object>(
        (inner, each) => ({ ...rest, [each]: { ...rest[each], ...inner } }),
        {
          ...(outer.length === 0 && rest),
          [last]: lists.includes(last) ? [value] : value,
        },
      )
      const query = new URLSearchParams(
        Object.entries(changed).map(([param, text]) => [
          param,
          typeof text === 'string' ? text : JSON.stringify(text),
        ]),
      )
      const path = pathTo(endpoint, own) + (part === 'query' ? `?${query.toString()}` : '')
      const body = endpoint.body ? { body: part === 'body' ? changed : {} } : {}
      const response = await service.request(endpoint.method, path, { ...body, key })
      const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
      return { status: response.status, text: response.text.replaceAll(id, 'ID').replaceAll(uuid, 'UUID') }
    }
    const before = await stateOf(Number(place.project))
    const foreign = await send(place[object])
    if (object === 'project') expect([400, 403, 404]).toContain(foreign.status)
    // A filter by an unknown id finds nothing.
    else expect(foreign).toEqual(await send(crypto.randomUUID()))
    // Only the id is wrong, so that nothing else hides what it would do.
    if (foreign.status === 400) expect(foreign.text).toMatch(new RegExp(`${last}|No recordings match`))
    expect(await stateOf(Number(place.project))).toEqual(before)
  },
)

/** Returns what requests could change of a project. */
async function stateOf(project: number): Promise<unknown> {
  const { store } = service.services
  return [
    await store.selectFrom('batch_exports').selectAll().where('project_id', '=', project).execute(),
    await store.selectFrom('session_recordings').selectAll().where('project_id', '=', project).execute(),
    await store.selectFrom('batch_export_runs').selectAll().where('project_id', '=', project).execute(),
  ]
}
