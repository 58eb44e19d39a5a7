import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { compressions, fileFormats } from '../../../contract/destinations/destination.ts'
import { openIngest } from '../../capture/ingest.ts'
import { exportRun } from '../../exporter/export-run.ts'
import { explainFailure } from '../../exporter/explain-failure.ts'
import { openReader, openRecorded } from '../../destinations/read-objects.ts'
import { findBatchExport } from '../../store/runs/batch-exports.ts'
import { ledgerSettings } from '../../store/windows/ledger.ts'
import { exportInput, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { startTestStore } from '../../testing/test-store.ts'

const url = '/api/projects/@current/batch_exports/'
let service: TestService
let store: Awaited<ReturnType<typeof startTestStore>>
beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  store = await startTestStore()
  const event = {
    event: 'captured',
    distinctId: 'someone',
    properties: '{}',
    sessionId: '',
    elementsChain: '',
  }
  const timestamp = service.clock.now()
  await openIngest(service.services).add(service.own.project_id, [
    { ...event, uuid: randomUUID(), timestamp, change: null },
  ])
  service.clock.advance(3_600_000)
})
afterAll(async () => {
  await store.stop()
  await service.stop()
})
/** Other exports must not own the names of a test's files. */
beforeEach(deleteExports)

async function deleteExports(): Promise<void> {
  await service.services.store.updateTable('batch_exports').set({ deleted_at: new Date() }).execute()
}

type Config = Record<string, unknown>

function destinationOf(type: string, place: string, config: Config = {}) {
  if (type === 'File') return { type, config: { ...config, path: place } }
  const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
  const bucket = { bucket_name: 'exports', region: 'us-east-1', endpoint_url: store.endpoint }
  return { type, config: { ...bucket, ...secrets, prefix: place, ...config } }
}

const create = (destination: object) =>
  service.request('POST', url, { body: { ...exportInput, destination } })

/** Exports a window with one event; returns the names of the files, which exist, or the error. */
async function write(id: string): Promise<string[] | string> {
  const { services, own } = service
  const row = await findBatchExport(services.store, [own.project_id], id)
  if (!row) throw new Error('the export does not exist')
  const run = await insertRun(service, { id, team_id: own.project_id })
  const { signal } = new AbortController()
  try {
    const { files, objects } = await exportRun(services, row, run, { onProgress: () => undefined, signal })
    const destination = await openRecorded(services, row, { settings: ledgerSettings(row) })
    if (destination.holds !== 'files') throw new Error('no files')
    const reader = await openReader(services, destination, row.project_id)
    for (const object of objects)
      expect(await reader.find(object, signal), object.key).toMatchObject({ bytes: object.bytes })
    reader.close()
    return files
  } catch (error) {
    return (await explainFailure(services, row, error)).message
  }
}

const variable = fc.constantFrom(
  '{year}',
  '{data_interval_start}',
  '{table}',
  '{nope}',
  '{_partition_id}',
  '{',
)
const name = fc.oneof(
  fc.constantFrom('', '.', '..', '...', '.partial', ' ', '%2e%2e', '\\', 'a\\..\\b', '*?[x]', `'"#&+;`, '1'),
  variable,
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('/', '')),
  fc
    .tuple(
      fc.constantFrom('x', 'ü', '😀', '{table}', '{data_interval_end}'),
      fc.integer({ min: 1, max: 260 }),
    )
    .map(([text, count]) => text.repeat(count)),
)
const place = fc.oneof(
  fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/')),
  fc.integer({ min: 800, max: 1030 }).map((length) => 'long name/'.repeat(104).slice(0, length)),
)
const config = fc.record({
  file_format: fc.constantFrom(...fileFormats),
  compression: fc.constantFrom(null, ...compressions),
  max_file_size_mb: fc.constantFrom(null, 1, Number.MAX_SAFE_INTEGER),
  include_blocks: fc.boolean(),
})
// Random places alone could all be refused.
const usualFormat = {
  file_format: 'Parquet',
  compression: null,
  max_file_size_mb: null,
  include_blocks: false,
} as const

test.each(['File', 'S3'])('every accepted destination can be written to: %s', async (type) => {
  let written = 0
  await fc.assert(
    fc.asyncProperty(place, config, async (text, rest) => {
      const destination = destinationOf(type, text, rest)
      const response = await create(destination)
      if (response.status === 400) {
        expect(problemOf(response).attr).toMatch(/^destination/)
        return
      }
      expect(response.status, response.text).toBe(201)
      const { id } = bodyOf(BatchExport, response)
      expect(await write(id), JSON.stringify(text)).toHaveLength(1)
      written += 1
      await deleteExports()
    }),
    { numRuns: 15, examples: [['usual', usualFormat]] },
  )
  expect(written).toBeGreaterThan(0)
})

const around = (text: string) =>
  fc
    .tuple(
      fc.constantFrom('', ' ', '\n'),
      fc.constantFrom('', ' ', '\n', '\r', '\0', '?a=1', '#x', '\\', '/', '/a', 'é'),
    )
    .map(([before, after]) => before + text + after)
const mostly = <Value>(usual: Value, odd: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd })
const s3Config = fc.record({
  region: mostly(
    'us-east-1',
    fc.oneof(
      fc.constantFrom('eu west', 'eu.west', 'EU_1', 'EU-1', '東京', 'x/y', '-', 'a-', 'x'.repeat(64), '*'),
      fc.string({ minLength: 1, maxLength: 8 }),
    ),
  ),
  endpoint: mostly('ENDPOINT', around('ENDPOINT')),
  use_virtual_style_addressing: mostly(false, fc.constant(true)),
  kms_key_id: mostly(null, around('key')),
  encryption: fc.constantFrom(null, 'AES256', 'aws:kms'),
  aws_access_key_id: mostly('S3RVER', around('S3RVER')),
  aws_secret_access_key: mostly('S3RVER', around('S3RVER')),
})
const usualS3 = {
  region: 'us-east-1',
  endpoint: 'ENDPOINT',
  use_virtual_style_addressing: false,
  kms_key_id: null,
  encryption: null,
  aws_access_key_id: 'S3RVER',
  aws_secret_access_key: 'S3RVER',
}

test('every accepted endpoint, region, encryption and key can be used, or the store refuses the key', async () => {
  let written = 0
  await fc.assert(
    fc.asyncProperty(s3Config, async ({ endpoint, ...rest }) => {
      const endpoint_url = endpoint.replace('ENDPOINT', store.endpoint)
      const response = await create(destinationOf('S3', 'odd', { ...rest, endpoint_url }))
      if (response.status === 400) {
        expect(problemOf(response).attr).toMatch(/^destination/)
        return
      }
      expect(response.status, response.text).toBe(201)
      const result = await write(bodyOf(BatchExport, response).id)
      if (typeof result === 'string')
        expect(result).toMatch(
          /does not know the access key|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket/,
        )
      else written += 1
      await deleteExports()
    }),
    { numRuns: 20, examples: [[usualS3]] },
  )
  expect(written).toBeGreaterThan(0)
})

test.each(['File', 'S3'])('a path is the same with and without empty names and “.”: %s', async (type) => {
  for (const text of ['a/b', '/a//b/', './a/./b/.', 'a/b//.//']) {
    const response = await create(destinationOf(type, text))
    expect(response.status, response.text).toBe(201)
    const { id, destination } = bodyOf(BatchExport, response)
    expect(destination.config?.[type === 'File' ? 'path' : 'prefix']).toBe(text)
    expect(await write(id)).toEqual([expect.stringMatching(/^a\/b\/2026-[^/]+\.jsonl$/)])
    const same = await create(destinationOf(type, 'a/./b'))
    expect([same.status, problemOf(same).detail]).toEqual([
      400,
      expect.stringMatching(/^The batch export "Daily events" already writes files with these names/),
    ])
    await deleteExports()
  }
})

const tooLong = 'names between slashes have at most 255 bytes'
/** What stored exports, from before these rules, can write. */
const writable = ['./.partial/a']
/** What only some stores can write. */
const unusual = ['a/../b', 'x'.repeat(256)]
test.each([
  ['File', 'a/../../b', 'it leads out of the exports folder'],
  ['File', String.raw`a\b`, 'it contains a backslash; separate folders with /'],
  ['File', './.partial/a', '“.partial” is the folder of unfinished files'],
  ['File', `${'ü'.repeat(120)}{data_interval_end}`, tooLong],
  ['S3', 'a/../b', 'Many stores reject names that contain “..”.'],
  ['S3', 'x'.repeat(256), tooLong],
  ['S3', 'x'.repeat(99).concat('/').repeat(10), 'object keys have at most 1,024 bytes'],
])('creation, change, apply and the run of an old export agree: %s %s', async (type, text, reason) => {
  const field = type === 'File' ? 'path' : 'prefix'
  const message = `Configuration has invalid value for '${field}': ${reason}`
  const refused = await create(destinationOf(type, text))
  expect([refused.status, problemOf(refused).detail]).toEqual([400, message])
  const { id } = bodyOf(BatchExport, await create(destinationOf(type, 'good')))
  const body = { destination: { config: { [field]: text } } }
  const patched = await service.request('PATCH', `${url}${id}/`, { body })
  expect([patched.status, problemOf(patched).detail]).toEqual([400, message])
  const definition = { name: 'Defined', interval: 'hour', destination: destinationOf(type, text) }
  const applied = await service.request('POST', `${url}apply/`, { body: { exports: [definition] } })
  expect([applied.status, problemOf(applied).detail]).toEqual([400, message])

  const row = await findBatchExport(service.services.store, [service.own.project_id], id)
  const stored = { ...row?.destination_config, [field]: text }
  await service.services.store
    .updateTable('batch_exports')
    .set({ destination_config: stored })
    .where('id', '=', id)
    .execute()
  const result = await write(id)
  if (writable.includes(text)) expect(result).toHaveLength(1)
  if (unusual.includes(text)) expect(result).not.toContain('is not valid')
  if (writable.includes(text) || unusual.includes(text)) return
  const shown = reason.startsWith('it leads') ? 'is not below the exports folder' : `is not valid (${reason})`
  expect(result).toContain(`${shown}: change the destination's ${field}.`)
})

test('an error spells a path as the export does, without the folder of its project', async () => {
  const made = bodyOf(BatchExport, await create(destinationOf('File', 'finance/{year}')))
  const [file = ''] = await write(made.id)
  const { id } = bodyOf(BatchExport, await create(destinationOf('File', file)))
  expect(await write(id)).toMatch(/^finance\/2026\/[^/]+\.jsonl is a file, so no folder/)
})
