import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExport, exportInput, ownPrefix } from '../../testing/test-rows.ts'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const exportsPath = '/api/projects/@current/batch_exports/'
let service: TestService
let inSecond: string

beforeAll(async () => {
  service = await createTestService()
  inSecond = `/api/projects/${service.secondProjectId}/batch_exports/`
})
afterAll(() => service.stop())

const secrets = { aws_access_key_id: 'AKIA', aws_secret_access_key: 'secret' }
const bucket = (config: object) => ({
  type: 'S3',
  config: { bucket_name: 'lake', region: 'eu-central-1', ...secrets, ...config },
})

test.each([
  ['the same prefix', 'a', '/a/'],
  ['a value of a variable', 'b/{year}', 'b/2027'],
])('POST refuses a bucket whose objects another export writes: %s', async (_, prefix, same) => {
  const name = `Lake ${prefix}`
  const made = await createExport(service, { name, destination: bucket({ prefix }) })
  const body = { ...exportInput, destination: bucket({ prefix: same }) }
  const refused = await service.request('POST', exportsPath, { body })
  expect(refused.status).toBe(400)
  expect(problemOf(refused)).toMatchObject({
    attr: 'destination',
    detail: `The batch export "${name}" already writes files with these names: choose another prefix.`,
    issues: [{ path: ['destination', 'config', 'prefix'] }],
  })
  const daily = { ...body, interval: 'day' }
  expect((await service.request('POST', exportsPath, { body: daily })).status).toBe(201)
  await service.request('DELETE', `${exportsPath}${made.id}/`)
  expect((await service.request('POST', exportsPath, { body })).status).toBe(201)
})

test('PATCH and PUT refuse shared files, also if they result from a new interval or format', async () => {
  const { destination, ...rest } = exportInput
  const first = await createExport(service, { destination })
  const daily = await createExport(service, { destination, interval: 'day' })
  const path = `${exportsPath}${daily.id}/`
  for (const [method, body] of [
    ['PATCH', { interval: 'hour' }],
    ['PUT', { ...rest, destination, interval: 'hour' }],
  ] as const) {
    const response = await service.request(method, path, { body })
    expect([response.status, problemOf(response).attr]).toEqual([400, 'destination'])
  }
  expect((await service.request('PATCH', path, { body: { name: 'Renamed' } })).status).toBe(200)
  const parquet = { destination: { config: { file_format: 'Parquet' } }, interval: 'hour' }
  expect((await service.request('PATCH', path, { body: parquet })).status).toBe(200)
  const lines = { destination: { config: { file_format: 'JSONLines' } } }
  const back = await service.request('PATCH', path, { body: lines })
  expect([back.status, problemOf(back).detail]).toEqual([
    400,
    `The batch export "${first.name}" already writes files with these names: choose another path.`,
  ])
})

test('of concurrent requests for the same file names, only one succeeds', async () => {
  const { destination } = exportInput
  const responses = await Promise.all(
    Array.from({ length: 15 }, () =>
      service.request('POST', exportsPath, { body: { ...exportInput, destination } }),
    ),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(14).fill(400)])
})

test('each project has its own folder, and a bucket’s objects belong to one export of all projects', async () => {
  const { destination } = exportInput
  await createExport(service, { destination })
  await createExport(service, { destination }, inSecond)
  const shared = ownPrefix()
  const { name } = await createExport(service, { name: 'Elsewhere', destination: shared }, inSecond)
  const body = { ...exportInput, destination: shared }
  const named = await service.request('POST', exportsPath, { body })
  expect(problemOf(named).detail).toContain(`"${name}"`)
  const key = await service.newKey({ projects: [service.own.project_id] })
  const unnamed = await service.request('POST', exportsPath, { body, key })
  expect(unnamed.status).toBe(400)
  expect(problemOf(unnamed).detail).toBe(
    'Another batch export already writes files with these names: choose another prefix.',
  )
  expect(unnamed.text).not.toContain(name)
})
