import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import {
  exportNoteLengthMax,
  ownerLengthMax,
  tagLengthMax,
  tagsMax,
} from '../../../contract/exports/export-labels.ts'
import { Overview } from '../../../contract/exports/overview.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, exportInput, ownPrefix } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const exportsPath = '/api/projects/@current/batch_exports/'
const pathOf = (id: string) => `${exportsPath}${id}/`
const labelsIn = ({ tags, owner, note }: Pick<BatchExport, 'tags' | 'owner' | 'note'>) => [tags, owner, note]

async function send(method: string, id: string, body: object) {
  return bodyOf(BatchExport, await service.request(method, pathOf(id), { body }))
}

test('labels are stored without surrounding space and repeated tags, and shown with the export and in the overview', async () => {
  const made = await createExport(service, {
    tags: [' lake ', 'finance', 'lake'],
    owner: ' Ada ',
    note: 'Read by the finance team.\nAsk before a change.\n',
  })
  const labels = [['lake', 'finance'], 'Ada', 'Read by the finance team.\nAsk before a change.']
  expect(labelsIn(made)).toEqual(labels)
  const overview = bodyOf(Overview, await service.request('GET', `${exportsPath}overview/`))
  expect(overview.results.filter(({ id }) => id === made.id).map(labelsIn)).toEqual([labels])
})

test('PATCH and PUT change only the labels that the body names; null clears one', async () => {
  const destination = ownPrefix()
  const { id } = await createExport(service, { destination, tags: ['lake'], owner: 'Ada', note: 'First.' })
  expect(labelsIn(await send('PATCH', id, { owner: 'Grace' }))).toEqual([['lake'], 'Grace', 'First.'])
  const replaced = await send('PUT', id, { ...exportInput, destination, tags: [] })
  expect(labelsIn(replaced)).toEqual([[], 'Grace', 'First.'])
  expect(labelsIn(await send('PATCH', id, { tags: null, owner: null, note: null }))).toEqual([[], '', ''])
})

test('the history records changes of labels', async () => {
  const { id } = await createExport(service, { tags: ['lake'] })
  await send('PATCH', id, { tags: ['lake', 'crm'], note: 'For the CRM.' })
  const { results } = bodyOf(
    cursorPage(BatchExportChange),
    await service.request('GET', `${pathOf(id)}changes/`),
  )
  expect(results[0]?.fields).toEqual([
    { field: 'tags', before: ['lake'], after: ['lake', 'crm'], secret: false },
    { field: 'note', before: null, after: 'For the CRM.', secret: false },
  ])
  expect(results[1]?.fields.map(({ field }) => field)).toContain('tags')
  expect(results[1]?.fields.map(({ field }) => field)).not.toContain('owner')
})

test.each([
  ['tags', { tags: 'lake' }],
  ['tags', { tags: Array.from({ length: tagsMax + 1 }, (_, index) => `tag ${index}`) }],
  ['tags__0', { tags: ['a,b'] }],
  ['tags__0', { tags: [' '] }],
  ['tags__1', { tags: ['a', 'x'.repeat(tagLengthMax + 1)] }],
  ['tags__0', { tags: ['a\nb'] }],
  ['owner', { owner: 'x'.repeat(ownerLengthMax + 1) }],
  ['owner', { owner: 7 }],
  ['note', { note: 'x'.repeat(exportNoteLengthMax + 1) }],
])('a label that is not valid is rejected at %s', async (attr, body) => {
  const { id } = await createExport(service)
  const response = await service.request('PATCH', pathOf(id), { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})
