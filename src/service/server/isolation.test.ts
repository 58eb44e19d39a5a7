import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowsScope, scopes } from '../../contract/accounts/scopes.ts'
import type { Endpoint } from '../../contract/endpoints.ts'
import { createPlaces, endpointsWithKey, pathTo, type Place } from '../testing/test-place.ts'
import { createExport } from '../testing/test-rows.ts'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'

let service: TestService
let own: Place
let second: Place
/** A key for each scope, with that scope alone. */
const keyOf = new Map<string, string>()

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  ;({ own, second } = await createPlaces(service))
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

const table = endpointsWithKey.map(
  ([name, endpoint]) => [name, `${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

describe.each(table)('keys of %s: %s', (_name, _path, endpoint) => {
  const { project: isProject, organization: isOrganization } = endpoint.loads ?? {}

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
})

describe.each(table)('objects of %s: %s', (_name, _path, endpoint) => {
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
        integration: id,
        repairPlan: id,
        groupSummary: id,
        recordingView: id,
        person: id,
        identityProvider: id,
        personErasure: id,
        session: id,
        passkey: id,
        member: id,
        invite: id,
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
