import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { CreatedPersonalApiKey, PersonalApiKey } from '../../../contract/accounts/api-key.ts'
import { User } from '../../../contract/accounts/user.ts'
import { Instance } from '../../../contract/instance.ts'
import { scopes } from '../../../contract/accounts/scopes.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const keys = '/api/personal_api_keys/'

test('GET /api/personal_api_keys/@current/ returns 200 with the key and when it was last used', async () => {
  const path = `${keys}@current/`
  await service.request('GET', path)
  const used = async () => bodyOf(PersonalApiKey, await service.request('GET', path)).last_used_at
  await expect.poll(used).toBe('2026-03-04T10:30:00Z')
  const key = bodyOf(PersonalApiKey, await service.request('GET', path))
  expect(key).toMatchObject({ label: 'Own key', scopes: ['*'], scoped_teams: null })
  service.clock.advance(59_000)
  expect(await used()).toBe('2026-03-04T10:30:00Z')
  service.clock.advance(1000)
  await expect.poll(used).toBe('2026-03-04T10:31:00Z')
})

test('POST /api/personal_api_keys/ returns 201 with the value, which works and is never shown again', async () => {
  const body = { label: 'Reporting', scopes: ['batch_export:read'], scoped_teams: [service.own.project_id] }
  const response = await service.request('POST', keys, { body })
  expect(response.status).toBe(201)
  const created = bodyOf(CreatedPersonalApiKey, response)
  expect(created.value).toMatch(/^phx_[0-9A-Za-z]{32,}$/)
  const mine = await service.request('GET', `${keys}@current/`, { key: created.value })
  expect(mine.body).toMatchObject({ id: created.id, scopes: body.scopes, scoped_teams: body.scoped_teams })
  const list = await service.request('GET', keys)
  expect(list.text).not.toContain(created.value)
  const stored = await service.services.store.selectFrom('api_keys').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(created.value)
})

test('GET /api/personal_api_keys/ returns 200 with the keys of the user, newest first', async () => {
  service.clock.advance(1000)
  const response = await service.request('POST', keys, { body: { label: 'Newest', scopes: ['*'] } })
  const list = bodyOf(z.array(PersonalApiKey), await service.request('GET', keys))
  expect(list[0]?.id).toBe(bodyOf(CreatedPersonalApiKey, response).id)
  expect(list.at(-1)?.label).toBe('Own key')
})

test('DELETE /api/personal_api_keys/:id/ returns 204, even for the key in use', async () => {
  const body = { label: 'Short-lived', scopes: ['personal_api_key:write'] }
  const created = bodyOf(CreatedPersonalApiKey, await service.request('POST', keys, { body }))
  const remove = () => service.request('DELETE', `${keys}${created.id}/`, { key: created.value })
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(401)
  const again = await service.request('DELETE', `${keys}${created.id}/`)
  expect(problemOf(again).detail).toBe('Not found.')
})

test("another user's keys are neither listed nor revoked", async () => {
  const { own, other } = service
  const mine = bodyOf(PersonalApiKey, await service.request('GET', `${keys}@current/`))
  const theirs = await service.request('DELETE', `${keys}${mine.id}/`, { key: other.api_key })
  expect([theirs.status, problemOf(theirs).detail]).toEqual([404, 'Not found.'])
  const list = bodyOf(z.array(PersonalApiKey), await service.request('GET', keys, { key: other.api_key }))
  expect(list.map((key) => key.label)).toEqual(['Other key'])
  expect((await service.request('GET', keys, { key: own.api_key })).status).toBe(200)
})

test('a key neither lists nor revokes a key that is wider than itself', async () => {
  const { own, secondProjectId } = service
  const manages = ['personal_api_key:write']
  const limited = await service.newKey({ scopes: ['*'], projects: [secondProjectId] })
  const narrow = await service.newKey({ scopes: manages, projects: [secondProjectId] })
  const wider = [
    await service.newKey({ scopes: manages }),
    await service.newKey({ scopes: manages, projects: [own.project_id, secondProjectId] }),
    await service.newKey({ scopes: manages, projects: [own.project_id] }),
    own.api_key,
  ]
  const idOf = async (key: string) =>
    bodyOf(PersonalApiKey, await service.request('GET', `${keys}@current/`, { key })).id
  const listed = async (key: string) =>
    bodyOf(z.array(PersonalApiKey), await service.request('GET', keys, { key })).map(({ id }) => id)
  const [limitedId, narrowId] = [await idOf(limited), await idOf(narrow)]
  expect(await listed(limited)).toEqual([narrowId, limitedId])
  expect(await listed(narrow)).toEqual([narrowId])
  for (const key of [...wider, limited]) {
    const response = await service.request('DELETE', `${keys}${await idOf(key)}/`, { key: narrow })
    expect([response.status, problemOf(response).detail]).toEqual([404, 'Not found.'])
  }
  expect((await service.request('DELETE', `${keys}${narrowId}/`, { key: limited })).status).toBe(204)
  const organizationKey = await service.newKey({ organizations: [own.organization_id] })
  const everyKey = await listed(own.api_key)
  expect(everyKey).toEqual(expect.arrayContaining([limitedId, await idOf(organizationKey)]))
  expect(await listed(organizationKey)).toEqual([await idOf(organizationKey)])
})

test('a key can only grant scopes and projects that it has itself', async () => {
  const { own, secondProjectId, other } = service
  const key = await service.newKey({
    scopes: ['personal_api_key:write', 'batch_export:write'],
    projects: [own.project_id],
  })
  const grant = (body: object) =>
    service.request('POST', keys, { key, body: { label: 'Granted', scopes: ['batch_export:read'], ...body } })
  const allowed = bodyOf(CreatedPersonalApiKey, await grant({}))
  expect(allowed.scoped_teams).toEqual([own.project_id])
  const refused = [
    [{ scopes: ['*'] }, 'scopes', "You can only grant scopes that you have yourself, not '*'."],
    [
      { scopes: Array(scopes.length + 2).fill('*') },
      'scopes',
      `Ensure this list has no more than ${scopes.length + 1} items.`,
    ],
    [{ label: 'a\tb' }, 'label', 'Control characters, such as line breaks and tabs, are not allowed.'],
    [{ scopes: ['session_recording:read'] }, 'scopes', undefined],
    [{ scopes: [] }, 'scopes', 'Choose at least one scope: a key without scopes cannot do anything.'],
    [{ scoped_teams: [secondProjectId] }, 'scoped_teams', undefined],
    [{ scoped_teams: null }, 'scoped_teams', undefined],
    [{ scoped_organizations: [other.organization_id] }, 'scoped_organizations', undefined],
  ] as const
  for (const [body, attr, detail] of refused) {
    const response = await grant(body)
    expect(response.status, JSON.stringify(body)).toBe(400)
    expect(problemOf(response)).toMatchObject({ attr, ...(detail && { detail }) })
  }
})

test('GET /api/users/@me/ returns 200 with the organization and the projects that the key can access', async () => {
  const { own, secondProjectId } = service
  const all = bodyOf(User, await service.request('GET', '/api/users/@me/'))
  expect(all.organization).toEqual({
    id: own.organization_id,
    name: 'Own',
    teams: [
      { id: own.project_id, name: 'Own project', api_token: own.project_token },
      { id: secondProjectId, name: 'Second', api_token: expect.stringMatching(/^phc_/) },
    ],
  })
  expect(all.team.id).toBe(own.project_id)
  const key = await service.newKey({ projects: [secondProjectId] })
  const some = bodyOf(User, await service.request('GET', '/api/users/@me/', { key }))
  expect(some.organization.teams.map((team) => team.id)).toEqual([secondProjectId])
  expect(some.team.id).toBe(secondProjectId)
})

test('GET /api/instance/ returns 200 with what this installation supports', async () => {
  const response = bodyOf(Instance, await service.request('GET', '/api/instance/'))
  expect(response).toMatchObject({ destinations: destinationTypes, settle_seconds: 5 })
  expect(response.exports_folder).toBe(service.services.exportsFolder)
})
