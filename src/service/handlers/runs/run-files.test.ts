import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { RunFiles } from '../../../contract/runs/run-files.ts'
import type { RunRow } from '../../store/runs/runs-list.ts'
import { findRows } from '../../store/schema/rows.ts'
import { createExport, insertRun, ownPrefix, insertEntry } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService
let batchExport: BatchExport

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.clock.set('2026-03-04T10:31:00Z')
  batchExport = await createExport(service)
})

const root = () => service.services.exportsFolder ?? ''

/** Writes a file below the exports folder. */
async function write(path: string, content: string): Promise<string> {
  await mkdir(dirname(join(root(), path)), { recursive: true })
  await writeFile(join(root(), path), content)
  return path
}

const runOf = (files: string[], of: BatchExport = batchExport) => insertRun(service, of, { files })

async function filesOf(run: RunRow, search = '', project = batchExport.team_id) {
  const path = `/api/projects/${project}/batch_export_runs/${run.id}/files/${search}`
  return bodyOf(RunFiles, await service.request('GET', path))
}

const download = (path: string | null | undefined) => service.server.inject({ url: path ?? '' })

test('GET /api/projects/:project_id/batch_export_runs/:id/files/ returns 200 with names, sizes and paths of files on this disk', async () => {
  await write(`${batchExport.team_id}/a/one.jsonl`, 'one')
  const run = await runOf(['a/one.jsonl', 'a/gone.jsonl'])
  expect(await filesOf(run)).toEqual({
    count: 2,
    next: null,
    previous: null,
    results: [
      { name: 'a/one.jsonl', bytes: 3, path: expect.stringMatching(/^\/exported-files\//) },
      { name: 'a/gone.jsonl', bytes: null, path: null },
    ],
    expires_at: '2026-03-04T10:40:00Z',
  })
  const page = await filesOf(run, '?limit=1&offset=1')
  expect(page).toMatchObject({ count: 2, results: [{ name: 'a/gone.jsonl' }] })
  expect(page.previous).toContain('limit=1')
})

test('the ledger knows the sizes of objects in a bucket, which are not downloaded', async () => {
  const s3 = await createExport(service, { destination: ownPrefix() })
  const run = await runOf(['daily/x.jsonl'], s3)
  await insertEntry(service, run, {
    objects: [{ key: 'daily/x.jsonl', bytes: 4711, checksum: 'x', holds: 'rows' }],
  })
  expect((await filesOf(run)).results).toEqual([{ name: 'daily/x.jsonl', bytes: 4711, path: null }])
})

test('a signed path downloads the file without a key until it expires', async () => {
  await write(`${batchExport.team_id}/b/2026-03-04T09:00:00+00:00 ü'.jsonl`, '<script>')
  const [file] = (await filesOf(await runOf(["b/2026-03-04T09:00:00+00:00 ü'.jsonl"]))).results
  const response = await download(file?.path)
  expect([response.statusCode, response.body]).toEqual([200, '<script>'])
  expect(response.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '8',
    'content-disposition': "attachment; filename*=UTF-8''2026-03-04T09%3A00%3A00%2B00%3A00%20%C3%BC%27.jsonl",
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const downloads = await findRows(service.services.store, 'audit_entries', { action: 'run.file_downloaded' })
  expect(downloads).toMatchObject([
    { object_name: "b/2026-03-04T09:00:00+00:00 ü'.jsonl", address: '127.0.0.1' },
  ])
  service.clock.set('2026-03-04T10:40:00Z')
  expect((await download(file?.path)).statusCode).toBe(403)
})

test('a file without rows is downloaded as an empty file', async () => {
  await write(`${batchExport.team_id}/b/empty.csv`, '')
  const [file] = (await filesOf(await runOf(['b/empty.csv']))).results
  const response = await download(file?.path)
  expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([200, '', '0'])
})

test('a changed path, another project’s key, a deleted export and a removed file open nothing', async () => {
  await write(`${batchExport.team_id}/c/one.jsonl`, 'one')
  const run = await runOf(['c/one.jsonl'])
  const path = (await filesOf(run)).results[0]?.path ?? ''
  const other = await runOf(['c/one.jsonl'])
  const changed = [
    path.replace(run.id, other.id),
    path.replace(/\.0\./, '.1.'),
    path.replace(/\.\d{13}\./, '.9999999999999.'),
    `${path}x`,
    path.slice(0, -1),
    '/exported-files/%00',
    '/exported-files/..%2f..%2fetc',
    '/exported-files/',
  ]
  for (const given of changed) expect((await download(given)).statusCode, given).toBe(404)
  const listing = `/api/projects/${service.secondProjectId}/batch_export_runs/${run.id}/files/`
  expect((await service.request('GET', listing)).status).toBe(404)
  const key = service.other.api_key
  const own = `/api/projects/${batchExport.team_id}/batch_export_runs/${run.id}/files/`
  expect((await service.request('GET', own, { key })).status).toBe(403)
  await service.request('DELETE', `/api/projects/@current/batch_exports/${batchExport.id}/`)
  expect((await download(path)).statusCode).toBe(404)
})

test('no path leaves the project’s folder: neither upwards, nor by a link, nor into another project’s', async () => {
  const project = String(batchExport.team_id)
  await write(`${service.secondProjectId}/secret.jsonl`, 'secret')
  await write('old/own.jsonl', 'own')
  await write(`${project}/d/own.jsonl`, 'own')
  await symlink(join(root(), String(service.secondProjectId)), join(root(), project, 'd', 'link'))
  const outside = [
    `../${service.secondProjectId}/secret.jsonl`,
    'd/link/secret.jsonl',
    '../../etc/passwd',
    '../old/own.jsonl',
    'd',
    '',
    'a\u0001',
  ]
  const listed = await filesOf(await runOf(outside))
  expect(listed.results.map(({ path }) => path)).toEqual(outside.map(() => null))
})
