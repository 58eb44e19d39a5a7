import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultRecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/recording_settings'
let service: TestService
let path: string

beforeAll(async () => {
  service = await createTestService()
  path = `/api/projects/${service.own.project_id}/recording_settings/`
})
afterAll(() => service.stop())

test(`GET ${of}/ returns 200 with the defaults of a new project`, async () => {
  const response = await service.request(
    'GET',
    `/api/projects/${service.secondProjectId}/recording_settings/`,
  )
  expect([response.status, response.body]).toEqual([200, defaultRecordingSettings])
})

test(`PATCH ${of}/ changes the settings that it contains, and keeps the others`, async () => {
  const changes = [{ canvas: true }, { assets: 'listed', asset_hosts: ['cdn.example', 'a-1.b.example'] }, {}]
  for (const body of changes) await service.request('PATCH', path, { body })
  const response = await service.request('GET', path)
  expect(response.body).toEqual({ ...defaultRecordingSettings, ...changes[0], ...changes[1] })
  expect((await service.request('PATCH', path, { body: { canvas: false } })).body).toMatchObject({
    canvas: false,
    assets: 'listed',
  })
})

test('the settings of a project apply to no other', async () => {
  await service.request('PATCH', path, { body: { network_bodies: true } })
  const second = `/api/projects/${service.secondProjectId}/recording_settings/`
  expect((await service.request('GET', second)).body).toEqual(defaultRecordingSettings)
})

test.each([
  ['https://cdn.example', 'a URL'],
  ['cdn.example:8080', 'a port'],
  ['CDN.example', 'upper case'],
  ['cdn.example/a', 'a path'],
  ['*.example', 'a pattern'],
  ['127.0.0.1', 'an address'],
  ['localhost', 'a name without a domain'],
  ['', 'nothing'],
])('refuses %j as a host: it is %s', async (host) => {
  const response = await service.request('PATCH', path, { body: { asset_hosts: ['cdn.example', host] } })
  expect([response.status, problemOf(response).attr]).toEqual([400, 'asset_hosts__1'])
})

test.each([
  [{ canvas: 'yes' }, 'canvas'],
  [{ assets: 'all' }, 'assets'],
  [{ asset_hosts: null }, 'asset_hosts'],
])('refuses %j', async (body, attr) => {
  const response = await service.request('PATCH', path, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})
