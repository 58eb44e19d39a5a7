import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { BatchExport } from '../src/contract/exports/batch-export.ts'
import { BatchExportRun } from '../src/contract/runs/batch-export-run.ts'
import {
  requestsOfExport,
  requestsOfExports,
  requestsOfRun,
  type CurlRequest,
} from '../src/dashboard/exports/curl/curl-requests.ts'
import { createExport, test } from './journey.ts'

const name = String.raw`It's "$HOME" \ $(touch /tmp/spool-curl) ${'`id`'} – [1-3] {a,b} {} 100% ‮`

test('every action runs as its curl command in a shell', async ({ service, tenant }) => {
  const { id } = await createExport(service, tenant, { name: name.replace('‮', ''), note: `${name}\n!!` })
  const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
  const exports = `${service.origin}/api/projects/@current/batch_exports/`
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (await fetch(`${exports}${path}`, { headers, ...init })).json()
  const batchExport = BatchExport.parse(await ask(`${id}/`))

  /** Runs a command in bash; resolves to the status and the body of the response. */
  const run = async ({ command }: CurlRequest) => {
    const real = command.replaceAll('http://localhost/', `${service.origin}/`)
    const { stdout } = await promisify(execFile)('bash', ['-c', `${real} -s -w '\n%{http_code}'`], {
      env: { ...process.env, SPOOL_API_KEY: tenant.api_key },
    })
    const at = stdout.lastIndexOf('\n')
    return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) }
  }
  const statusOf = async (request: CurlRequest) => [request.label, (await run(request)).status]

  const [show, edit, pause, backfill, retry, copy, yaml, remove] = requestsOfExport(batchExport)
  if (!show || !edit || !pause || !backfill || !retry || !copy || !yaml || !remove)
    throw new Error('an action is missing')
  const shown = BatchExport.parse(JSON.parse((await run(show)).body))
  expect([shown.name, shown.note]).toEqual([batchExport.name, batchExport.note])
  expect(await statusOf(edit)).toEqual(['Edit', 200])
  expect(BatchExport.parse(await ask(`${id}/`))).toMatchObject({ name: shown.name, note: shown.note })
  expect(await statusOf(pause)).toEqual(['Pause', 200])
  expect(BatchExport.parse(await ask(`${id}/`)).paused).toBe(true)
  const [, , unpause] = requestsOfExport({ ...batchExport, paused: true })
  if (unpause) expect(await statusOf(unpause)).toEqual(['Unpause', 200])
  expect(await statusOf(backfill)).toEqual(['Backfill the last window', 200])
  expect(await statusOf(retry)).toEqual(['Retry failed', 201])
  expect((await run(yaml)).body).toContain('exports:')
  // The copy would write the same files.
  expect((await run(copy)).body).toContain('already writes files with these names')

  await expect
    .poll(async () => BatchExport.parse(await ask(`${id}/`)).latest_runs[0]?.status)
    .toMatch(/Completed|Failed/)
  const [first] = BatchExport.parse(await ask(`${id}/`)).latest_runs
  const ofRun = requestsOfRun(String(batchExport.team_id), BatchExportRun.parse(first))
  for (const request of ofRun) expect(await statusOf(request)).toEqual([request.label, 200])
  expect(ofRun.at(-1)?.label).toBe('Retry')

  const bulk = requestsOfExports([batchExport])
  for (const request of bulk.slice(0, 4)) expect(await statusOf(request)).toEqual([request.label, 201])
  expect(await statusOf(remove)).toEqual(['Delete', 204])
})
