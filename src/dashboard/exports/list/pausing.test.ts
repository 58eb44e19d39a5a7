import { expect, test, vi } from 'vitest'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { withPausing } from './pausing.ts'

const paused: ExportOverview = {
  id: 'orders',
  team_id: 1,
  name: 'Orders',
  model: 'events',
  has_query: false,
  destination: { type: 'File', config: {}, integration: null },
  interval: 'hour',
  paused: true,
  created_at: '2026-03-01T00:00:00Z',
  last_paused_at: '2026-03-04T09:00:00Z',
  paused_because: null,
  pause_reason: null,
  paused_until: null,
  tags: [],
  owner: '',
  note: '',
  state: 'paused',
  failing_since: null,
  strip: '',
  missing: 0,
  failed: 0,
  flagged: [],
  running: null,
  records_by_hour: [],
  next_window: null,
}

test('an export that is being unpaused shows its next run before the service responds', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-04T10:30:00Z') })
  const [row] = withPausing([paused], new Map([['orders', false]]))
  expect(row).toMatchObject({
    paused: false,
    state: 'healthy',
    next_window: { start: '2026-03-04T10:00:00Z', end: '2026-03-04T11:00:00Z' },
  })
  vi.useRealTimers()
})
