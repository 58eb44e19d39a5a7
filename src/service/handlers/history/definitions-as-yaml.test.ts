import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { ExportDefinition } from '../../../contract/exports/export-definition.ts'
import { createIntegration } from '../../testing/test-integrations.ts'
import { createExport, ownPrefix } from '../../testing/test-rows.ts'
import { problemOf } from '../../testing/test-service.ts'
import {
  apply,
  createProject,
  exportsPath,
  file,
  listed,
  openDefinitions,
  send,
  service,
} from '../../testing/exports/test-definitions.ts'

beforeAll(openDefinitions)
afterAll(() => service.stop())
beforeEach(createProject)

const File = z.object({ project: z.int(), exports: z.array(ExportDefinition) })

const projectId = () => Number(exportsPath.split('/')[3])

async function asYaml(query = ''): Promise<string> {
  const response = await service.request('GET', `${exportsPath}as_yaml/${query}`)
  expect([response.status, response.headers['content-type']]).toEqual([200, 'application/yaml'])
  return response.text
}

test('GET /api/projects/:project_id/batch_exports/as_yaml/ returns 200 with a file that recreates the exports', async () => {
  const first = ownPrefix()
  const third = { ...ownPrefix().config, aws_secret_access_key: 'a third' }
  await apply([
    file('plain: "quoted" – 100%'),
    file('everything', {
      model: 'persons',
      interval: 'every 5 minutes',
      hogql_query: "SELECT distinct_id, properties.$browser AS b FROM persons WHERE distinct_id != 'a''b'",
      start_at: '2026-01-01T00:00:00Z',
      end_at: '2027-01-01T12:00:00.5Z',
      paused: true,
      tags: ['a', 'no', '1e3'],
      owner: 'Ada',
      note: 'two\nlines: #1',
    }),
    file('true', { destination: first }),
    file('same key', { destination: ownPrefix() }),
    file('other key', { destination: { type: 'S3', config: third } }),
  ])
  const text = await asYaml()
  expect(text).not.toMatch(/very-secret|AKIA|a third/)
  const { exports } = File.parse(parse(text))
  const secretOf = ({ destination }: ExportDefinition) => destination.config?.['aws_secret_access_key']
  expect(exports.map((definition) => [definition.name, secretOf(definition)])).toEqual([
    ['everything', undefined],
    ['other key', '${AWS_SECRET_ACCESS_KEY}'],
    ['plain: "quoted" – 100%', undefined],
    ['same key', '${AWS_SECRET_ACCESS_KEY_2}'],
    ['true', '${AWS_SECRET_ACCESS_KEY_2}'],
  ])
  const before = await listed()
  const [one] = before
  expect(File.parse(parse(await asYaml(`?id=${one?.id}`))).exports.map(({ name }) => name)).toEqual([
    one?.name,
  ])

  for (const { id } of before) await service.request('DELETE', `${exportsPath}${id}/`)
  const secrets: Record<string, string> = {
    '${AWS_ACCESS_KEY_ID}': 'AKIA-secret-id',
    '${AWS_SECRET_ACCESS_KEY}': 'a third',
    '${AWS_SECRET_ACCESS_KEY_2}': 'very-secret',
  }
  const filled = text.replaceAll(/\$\{\w+\}(?!…)/g, (name) => secrets[name] ?? name)
  await apply(File.parse(parse(filled)).exports)
  const settingsOf = (batchExport: BatchExport) =>
    Object.keys(ExportDefinition.shape).map((field) => new Map(Object.entries(batchExport)).get(field))
  const byName = (exports: BatchExport[]) =>
    exports.toSorted((a, b) => a.name.localeCompare(b.name)).map(settingsOf)
  expect(byName(await listed())).toEqual(byName(before))
  expect(await asYaml()).toBe(text)
})

test('a file with two exports of the same name says to rename one', async () => {
  for (const path of ['a', 'b'])
    await createExport(
      service,
      file('twin', { destination: { type: 'File', config: { path } } }),
      exportsPath,
    )
  expect(await asYaml()).toContain('# Before that, rename one of the exports named "twin".')
})

test('a file names connections by kind and name, and recreates exports that use them', async () => {
  const made = await createIntegration(service, { name: 'Lake' }, projectId())
  const table = await createIntegration(service, { name: 'Warehouse' }, projectId(), 'postgresql')
  await apply([
    file('bucket', {
      destination: {
        type: 'S3Compatible',
        config: { bucket_name: 'lake', region: 'us-east-1', prefix: `yaml-${projectId()}` },
        integration_id: made.id,
      },
    }),
    file('table', {
      destination: { type: 'Postgres', config: { database: 'shop' }, integration_id: table.id },
    }),
  ])
  const text = await asYaml()
  expect(text).not.toMatch(/planted|\$\{(AWS|USER|PASSWORD)/)
  const { exports } = File.parse(parse(text))
  expect(exports.map(({ destination }) => destination.integration)).toEqual([
    { kind: 's3-compatible', name: 'Lake' },
    { kind: 'postgresql', name: 'Warehouse' },
  ])
  const before = await listed()
  expect((await apply(exports)).changes.map(({ action }) => action)).toEqual(['unchanged', 'unchanged'])
  for (const { id } of before) await service.request('DELETE', `${exportsPath}${id}/`)
  await apply(exports)
  const integrations = (rows: BatchExport[]) => rows.map(({ destination }) => destination.integration).sort()
  expect(integrations(await listed())).toEqual(integrations(before))

  const other = exports.map((definition) => ({
    ...definition,
    destination: { ...definition.destination, integration: { kind: 's3-compatible', name: 'Nowhere' } },
  }))
  const refused = await send(other.slice(0, 1))
  expect([refused.status, problemOf(refused).issues]).toEqual([
    400,
    [
      {
        path: ['exports', 0, 'destination', 'integration'],
        message: 'The project has no connection with this kind and name.',
      },
    ],
  ])
})
