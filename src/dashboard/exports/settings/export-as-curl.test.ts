import { expect, test } from 'vitest'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { exportAsCurl } from './export-as-curl.ts'

const batchExport: BatchExport = {
  id: '01a1fd71-fbe3-7095-9cef-ab956e247b52',
  team_id: 7,
  name: "Anna's orders",
  model: 'events',
  destination: { type: 'S3', config: { bucket_name: 'lake', region: 'eu-central-1' } },
  interval: 'hour',
  paused: false,
  created_at: '2026-11-21T08:00:00Z',
  last_updated_at: '2026-11-21T08:00:00Z',
  last_paused_at: null,
  paused_because: null,
  pause_reason: null,
  paused_until: null,
  tags: ['lake', 'finance'],
  owner: 'Data team',
  note: '',
  start_at: null,
  end_at: '2026-12-01T00:00:00Z',
  latest_runs: [],
  hogql_query: '',
  schema: null,
}

test('creates the same export, with placeholders for secrets and the key in a variable', () => {
  const command = exportAsCurl(batchExport)
  expect(command).toContain('/api/projects/7/batch_exports/')
  expect(command).toContain('"Authorization: Bearer $SPOOL_API_KEY"')
  const [, body = ''] = /-d '([^]*)'$/.exec(command) ?? []
  expect(JSON.parse(body.replaceAll(String.raw`'\''`, "'"))).toEqual({
    name: "Anna's orders",
    model: 'events',
    interval: 'hour',
    end_at: '2026-12-01T00:00:00Z',
    tags: ['lake', 'finance'],
    owner: 'Data team',
    destination: {
      type: 'S3',
      config: {
        bucket_name: 'lake',
        region: 'eu-central-1',
        aws_access_key_id: '<aws_access_key_id>',
        aws_secret_access_key: '<aws_secret_access_key>',
      },
    },
  })
})

test('escapes quotes for the shell', () => {
  expect(exportAsCurl(batchExport)).toContain(String.raw`Anna'\''s orders`)
})
