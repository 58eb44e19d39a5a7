import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roles, scopesOf, type Role } from '../../contract/accounts/roles.ts'
import { allowsScope, missingScope } from '../../contract/accounts/scopes.ts'
import type { Endpoint } from '../../contract/endpoints.ts'
import { sessionMs } from '../auth/session-times.ts'
import { insertMember, insertSession, type SessionHeaders } from '../testing/test-members.ts'
import { createPlaces, endpointsWithKey, pathTo, type Place } from '../testing/test-place.ts'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'

let service: TestService
let own: Place
let owner: SessionHeaders
const memberOf = new Map<Role, SessionHeaders>()
/** An owner of the organization who is limited to the first project, as an analyst. */
let limited: SessionHeaders
let ended: SessionHeaders

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  ;({ own } = await createPlaces(service))
  owner = (await insertSession(service)).headers
  for (const role of roles)
    memberOf.set(role, (await insertSession(service, { user_id: await insertMember(service, role) })).headers)
  const user_id = await insertMember(service, 'owner', { [service.own.project_id]: 'analyst' })
  limited = (await insertSession(service, { user_id })).headers
  const last_used_at = new Date(service.clock.now() - sessionMs.idle)
  ended = (await insertSession(service, { last_used_at })).headers
})
afterAll(() => service.stop())

/** Sends a request whose body no endpoint accepts, to objects that exist, or to a project and organization that do not. */
function ask(endpoint: Endpoint, headers: Record<string, string>, place: Place = own) {
  const body = endpoint.body ? { body: { junk: true } } : {}
  return service.request(endpoint.method, pathTo(endpoint, place), { ...body, headers, key: '' })
}

const nowhere = (): Place => ({ ...own, project: 'none', organization: 'none' })

const table = endpointsWithKey.map(
  ([name, endpoint]) => [name, `${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

describe.each(table)('sessions of %s: %s', (_name, _path, endpoint) => {
  test('of an unknown, ended or foreign page: refused without a dialog of the browser', async () => {
    const { cookie, origin } = owner
    const unknown = { cookie: 'spool_session_80=unknown', origin }
    for (const headers of [unknown, ended]) {
      const response = await ask(endpoint, headers)
      expect([response.status, problemOf(response).code]).toEqual([401, 'authentication_failed'])
      expect(response.headers).not.toHaveProperty('www-authenticate')
    }
    const foreign: Record<string, string>[] = [
      { cookie, origin: 'http://elsewhere.example' },
      { cookie, origin: 'http://localhost:81' },
      { cookie, origin: 'https://localhost:80' },
      { cookie, origin: 'null' },
      { cookie, origin, 'sec-fetch-site': 'cross-site' },
      { cookie, origin, 'sec-fetch-site': 'same-site' },
      // An image or a form, which needs no script, and the handshake of a WebSocket, which browsers allow to any host.
      { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { cookie, origin: 'http://elsewhere.example', connection: 'Upgrade', upgrade: 'websocket' },
      ...(endpoint.method === 'GET' ? [] : [{ cookie }, { cookie, origin, 'sec-fetch-site': 'none' }]),
    ]
    for (const headers of foreign) {
      const response = await ask(endpoint, headers)
      expect([response.status, problemOf(response).code], JSON.stringify(headers)).toEqual([
        403,
        'foreign_origin',
      ])
    }
  })

  test.runIf(endpoint.scope)('of each role: what it lacks is refused before anything else', async () => {
    const scope = endpoint.scope ?? 'batch_export:read'
    for (const role of roles) {
      const response = await ask(endpoint, memberOf.get(role) ?? owner, nowhere())
      const granted = scopesOf(role, 'organization')
      if (allowsScope(granted, scope)) expect(response.status, role).not.toBe(403)
      else expect([response.status, problemOf(response).detail]).toEqual([403, missingScope(granted, scope)])
    }
  })

  test.runIf(endpoint.scope)(
    'of someone limited to a project: nothing beyond it and the role in it',
    async () => {
      const granted = scopesOf('analyst', 'project')
      const isAllowed = allowsScope(granted, endpoint.scope ?? '')
      const response = await ask(endpoint, limited)
      if (!isAllowed) expect(response.status).toBe(403)
      else expect([401, 403]).not.toContain(response.status)
      if (!endpoint.loads?.project) return
      const elsewhere = await ask(endpoint, limited, { ...own, project: String(service.secondProjectId) })
      expect(elsewhere.status).toBe(403)
    },
  )
})
