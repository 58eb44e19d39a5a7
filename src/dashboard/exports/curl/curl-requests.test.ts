import { expect, test } from 'vitest'
import type { SentAction } from '../../api/last-actions.ts'
import { requestsOfActions, requestsOfExports } from './curl-requests.ts'

test('many exports are downloaded as several files, whose URLs a server accepts', () => {
  const rows = Array.from({ length: 1000 }, () => ({ id: crypto.randomUUID(), team_id: 7 }))
  const downloads = requestsOfExports(rows).filter(({ label }) => label.startsWith('Download'))
  expect(downloads.map(({ label }) => label).slice(-1)).toEqual(['Download as YAML, file 7 of 7'])
  for (const { command } of downloads) expect(command.length).toBeLessThan(8000)
  const named = downloads.map(({ command }) => command).join()
  expect(rows.filter(({ id }) => !named.includes(id))).toEqual([])
  const few = requestsOfExports(rows.slice(0, 2)).map(({ label }) => label)
  expect(few).toContain('Download as YAML')
})

const params = { project_id: '7' }
const config = { bucket_name: 'b', aws_access_key_id: 'AKIA', aws_secret_access_key: 'hidden' }
const created: SentAction = {
  name: 'createBatchExport',
  input: { params, body: { name: 'Orders', destination: { type: 'S3', config } } },
  at: 1000,
}
const kept: SentAction = {
  name: 'deleteSessionRecording',
  input: { params: { ...params, id: 'a' } },
  at: 3000,
}

test('an action of any page is a curl command without its secrets', () => {
  const [request] = requestsOfActions([created], (at) => `at ${at}`)
  expect(request?.label).toBe('at 1000 POST /batch_exports/')
  expect(request?.command).toContain("--url 'http://localhost/api/projects/7/batch_exports/'")
  expect(request?.command).toContain('"aws_secret_access_key": "<aws_secret_access_key>"')
  expect(request?.command).toContain('"bucket_name": "b"')
  expect(request?.command).not.toMatch(/AKIA|hidden/)
})

test('newest first; a repeated action is listed once, when it was last performed', () => {
  const labels = requestsOfActions([{ ...created, at: 4000 }, kept, created], (at) => `${at}`).map(
    ({ label }) => label,
  )
  expect(labels).toEqual(['4000 POST /batch_exports/', '3000 DELETE /session_recordings/:id/'])
})
