import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { createExport, exportInput, ownPrefix, s3Destination } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))

const exportsPath = '/api/projects/@current/batch_exports/'

const bucket = (config: object) => ({ type: 'S3', config: { ...s3Destination.config, ...config } })

test.each([
  [{ name: undefined }, 'required', 'name', 'This field is required.'],
  [{ name: null }, 'null', 'name', 'This field may not be null.'],
  [{ name: '  ' }, 'blank', 'name', 'This field may not be blank.'],
  [{ name: 1 }, 'invalid_input', 'name', 'Not a valid string.'],
  [{ name: 'a\0b' }, 'invalid_input', 'name', 'Null characters are not allowed.'],
  [
    { name: 'a\nb' },
    'invalid_input',
    'name',
    'Control characters, such as line breaks and tabs, are not allowed.',
  ],
  [
    { destination: { type: 'File', config: { path: 'a\u202eb' } } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid value for 'path': Control characters, such as line breaks and tabs, are not allowed.",
  ],
  [
    { destination: { type: 'File', config: { path: 'a', include_events: Array(501).fill('e') } } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid value for 'include_events': List at most 500 events.",
  ],
  [
    { destination: { type: 'File', config: { path: 'a', exclude_events: ['e'.repeat(40_001)] } } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid value for 'exclude_events': List events with at most 40,000 characters in total.",
  ],
  [{ interval: 'yearly' }, 'invalid_choice', 'interval', '"yearly" is not a valid choice.'],
  [{ model: 'people' }, 'invalid_choice', 'model', '"people" is not a valid choice.'],
  [{ paused: 'no' }, 'invalid_input', 'paused', 'Must be a valid boolean.'],
  [{ destination: undefined }, 'required', 'destination', 'This field is required.'],
  [
    { destination: 'S3' },
    'invalid_input',
    'destination',
    'Invalid data. Expected a dictionary, but got str.',
  ],
  [
    { destination: { type: 'Snowflake' } },
    'invalid_choice',
    'destination__type',
    `"Snowflake" is not a valid choice. Available destinations: [${destinationTypes.map((type) => `'${type}'`).join(', ')}].`,
  ],
  [
    { destination: { type: 'File', config: { path: 'a', b: 1, a: 2 } } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has unknown field/s: 'a', 'b'",
  ],
  [
    { destination: { type: 'File', config: {} } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration missing required field: 'path'",
  ],
  [
    { destination: { type: 'File', config: { path: 7 } } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid type: got 'int', expected 'str'",
  ],
  [
    { destination: { type: 'File', config: { path: 'a/../../b' } } },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid value for 'path': it leads out of the exports folder",
  ],
  [
    { destination: bucket({ bucket_name: 'My Bucket' }) },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid value for 'bucket_name': A bucket’s name has 3 to 63 lower-case letters, digits, dots and hyphens, and begins and ends with a letter or digit.",
  ],
  [
    { destination: bucket({ endpoint_url: 'javascript:alert(1)' }) },
    'invalid_input',
    'destination__non_field_errors',
    "Configuration has invalid value for 'endpoint_url': The endpoint URL must start with https:// or http://.",
  ],
  [
    { destination: { type: 'File', config: { path: 'a', file_format: 'CSV' } } },
    'invalid_input',
    'destination',
    "File format CSV is not supported. Supported file formats are ['Parquet', 'JSONLines']",
  ],
  [
    { start_at: '2026-01-02T00:00:00Z', end_at: '2026-01-02' },
    'invalid_input',
    'end_at',
    "'end_at' must be after 'start_at'.",
  ],
  [
    { start_at: 'soon' },
    'invalid_input',
    'start_at',
    'Datetime has wrong format. Use ISO 8601, for example 2026-01-31T09:00:00Z.',
  ],
  [{ hogql_query: 'DROP TABLE events' }, 'invalid_input', 'hogql_query', 'Failed to parse query'],
])('POST rejects %j: %s at %s', async (input, code, attr, detail) => {
  const body = { ...exportInput, ...input }
  const response = await service.request('POST', exportsPath, { body })
  expect(response.status).toBe(400)
  expect(problemOf(response)).toMatchObject({ type: 'validation_error', code, attr, detail })
})

test('lists all issues, the first one as the detail', async () => {
  const response = await service.request('POST', exportsPath, { body: { interval: 'x' } })
  const { issues, detail } = problemOf(response)
  expect(issues).toEqual([
    { path: ['name'], message: 'This field is required.' },
    { path: ['destination'], message: 'This field is required.' },
    { path: ['interval'], message: '"x" is not a valid choice.' },
  ])
  expect(detail).toBe('This field is required.')
})

test('rejects an endpoint in a private network and keeps a public one unchanged', async () => {
  const to = (endpoint: string) => ({
    body: {
      ...exportInput,
      destination: { type: 'S3', config: { ...s3Destination.config, endpoint_url: endpoint } },
    },
  })
  const refused = await service.request('POST', exportsPath, to('http://169.254.169.254/latest'))
  expect(problemOf(refused)).toMatchObject({ attr: 'destination__non_field_errors' })
  expect(problemOf(refused).issues?.[0]?.path).toEqual(['destination', 'config', 'endpoint_url'])
  const kept = await service.request('POST', exportsPath, to('https://1.1.1.1'))
  expect(kept.status, kept.text).toBe(201)
  expect(bodyOf(BatchExport, kept).destination.config).toMatchObject({ endpoint_url: 'https://1.1.1.1' })
})

test('a new destination type starts from an empty config', async () => {
  const created = await createExport(service, { destination: ownPrefix() })
  const path = `${exportsPath}${created.id}/`
  const body = { destination: { type: 'File', config: { path: 'here' } } }
  const changed = bodyOf(BatchExport, await service.request('PATCH', path, { body }))
  expect(changed.destination).toEqual({ type: 'File', config: { path: 'here' }, integration: null })
  const back = await service.request('PATCH', path, {
    body: { destination: { type: 'S3', config: { bucket_name: 'b', region: 'r' } } },
  })
  expect(problemOf(back).detail).toBe("Configuration missing required field: 'aws_access_key_id'")
})

test('requires secrets again if the stored ones cannot be opened', async () => {
  const created = await createExport(service, { destination: ownPrefix() })
  await service.services.store
    .updateTable('batch_exports')
    .set({ destination_secrets: Buffer.from('sealed with a key that is gone') })
    .where('id', '=', created.id)
    .execute()
  const path = `${exportsPath}${created.id}/`
  const body = { destination: { type: 'S3', config: { prefix: 'x' } } }
  const refused = await service.request('PATCH', path, { body })
  expect(problemOf(refused).detail).toBe("Configuration missing required field: 'aws_access_key_id'")
  expect((await service.request('PATCH', path, { body: { destination: s3Destination } })).status).toBe(200)
})

test('PATCH {"paused": true} acts like pause, and changes nothing on a paused export', async () => {
  const created = await createExport(service)
  const path = `${exportsPath}${created.id}/`
  const patch = async () => {
    service.clock.advance(60_000)
    return bodyOf(BatchExport, await service.request('PATCH', path, { body: { paused: true } }))
  }
  const paused = await patch()
  expect(paused).toMatchObject({ paused: true, last_paused_at: '2026-03-04T10:31:00Z' })
  expect(await patch()).toEqual(paused)
})

test('stores a query normalised; null or "" clears it', async () => {
  const created = await createExport(service, { hogql_query: 'SELECT event FROM events' })
  expect(created.hogql_query).not.toBe('')
  expect(created.schema).not.toBeNull()
  const path = `${exportsPath}${created.id}/`
  const body = { hogql_query: null }
  const cleared = bodyOf(BatchExport, await service.request('PATCH', path, { body }))
  expect([cleared.hogql_query, cleared.schema]).toEqual(['', null])
})

test('replaces lone surrogates in strings', async () => {
  const created = await createExport(service, {
    name: 'a\ud800b',
    destination: { type: 'File', config: { path: 'x\udc00', include_events: ['\ud800'] } },
  })
  expect(created.name).toBe('a\ufffdb')
  expect(created.destination.config).toEqual({ path: 'x\ufffd', include_events: ['\ufffd'] })
})

test.each([
  ['SELECT toInt(event) + person_id AS x FROM events', /^Invalid HogQL query: /],
  ["SELECT url('http://x') FROM events", /^Invalid HogQL query: /],
  ['SELECT event FROM persons', /^Query must SELECT FROM events$/],
  ['SELECT event FROM events UNION ALL SELECT event FROM events', /^UNIONs are not supported$/],
])('rejects the query %s', async (query, detail) => {
  const body = { ...exportInput, hogql_query: query }
  const response = await service.request('POST', exportsPath, { body })
  expect(problemOf(response)).toMatchObject({ attr: 'hogql_query', code: 'invalid_input' })
  expect(problemOf(response).detail).toMatch(detail)
  expect(problemOf(response).detail).not.toMatch(/DB::|version|_CAST/)
})

test('checks the query against the columns of a new model', async () => {
  const created = await createExport(service, { hogql_query: 'SELECT event FROM events' })
  const path = `${exportsPath}${created.id}/`
  const response = await service.request('PATCH', path, { body: { model: 'persons' } })
  expect(problemOf(response)).toMatchObject({
    attr: 'hogql_query',
    detail: 'Query must SELECT FROM persons',
  })
  const body = { model: 'persons', hogql_query: null }
  expect(bodyOf(BatchExport, await service.request('PATCH', path, { body })).model).toBe('persons')
})
