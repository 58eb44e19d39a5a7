import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoints.ts'
import { createPlaces, endpointsWithKey, pathTo, type Place } from '../testing/test-place.ts'
import { exportInput } from '../testing/test-rows.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService
let own: Place
let second: Place
/** Of another organization. */
let other: Place

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  ;({ own, second, other } = await createPlaces(service))
})
afterAll(() => service.stop())

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
  integration_id: 'integration',
  integration: 'integration',
}

const connected = {
  ...exportInput,
  destination: { type: 'S3Compatible', config: { bucket_name: 'lake', region: 'eu', prefix: 'a' } },
}
const ofTrial = (field: string) =>
  field === 'id' ? { destination: { type: 'File', config: { path: 'test' } } } : connected
const ofExport = (field: string) => (field.startsWith('destination.') ? connected : exportInput)
const lists = ['ids', 'batch_export_ids', 'session_ids', 'session_recording_ids', 'channels']

/** The rest of a valid body or query. */
const rests: Record<string, (field: string) => object> = {
  createOrganizationBatchExport: (field) => ({ ...ofExport(field), team_id: Number(own.project) }),
  createBatchExport: ofExport,
  replaceBatchExport: () => exportInput,
  replaceOrganizationBatchExport: () => exportInput,
  runNewTestStep: ofExport,
  createBulkAction: (field) => ({
    action: /ids|collection/.test(field) ? 'delete_recordings' : 'export_windows',
    ...(field.startsWith('filter.') &&
      field !== 'filter.collection' && { filter: { batch_export: own.batchExport } }),
  }),
  bulkUpdateSharing: () => ({ enabled: true }),
  matchedMoments: () => ({ session_ids: [own.recording] }),
  matchingEvents: () => ({ session_ids: [own.recording], events: [{ id: '$pageview' }] }),
  testConnection: ofTrial,
  planTable: ofTrial,
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
const foreignFields = endpointsWithKey.flatMap(([name, endpoint]) =>
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
      return { status: response.status, text: response.text.replaceAll(uuid, 'UUID').replaceAll(id, 'ID') }
    }
    const before = await stateOf(Number(place.project))
    const foreign = await send(place[object])
    if (object === 'project') expect([400, 403, 404]).toContain(foreign.status)
    // A filter by an unknown id finds nothing.
    else expect(foreign).toEqual(await send(object === 'integration' ? '999999999' : crypto.randomUUID()))
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
