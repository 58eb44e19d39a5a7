import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventType, IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import { start, testReplay, type TestReplay } from '../../testing/test-replay.ts'

let testing: TestReplay
beforeAll(async () => {
  testing = await testReplay()
})
afterAll(() => testing.cleanup())

const screenshot = {
  id: 4_403_110_912,
  x: 0,
  y: 0,
  width: 390,
  height: 844,
  type: 'screenshot',
  base64: 'AAAA',
}

function touch(at: number, type: number) {
  const data = { id: 0, pointerType: 2, source: IncrementalSource.MouseInteraction, type, x: 10, y: 20 }
  return { type: EventType.IncrementalSnapshot, timestamp: start + at, data }
}

/** Returns an item as posthog-ios and posthog-android send it: without a window's id, and with the person's id outside. */
function item(uuid: string, events: unknown, lib: string) {
  const properties = {
    $snapshot_source: 'mobile',
    $snapshot_data: events,
    $session_id: 'app-session',
    $lib: lib,
    $lib_version: '3.30.0',
  }
  return {
    event: '$snapshot',
    distinct_id: 'app-user',
    uuid,
    timestamp: new Date(start).toISOString(),
    properties,
  }
}

test('stores what an app recorded, and counts its taps as clicks', async () => {
  const first = [
    { type: EventType.Meta, timestamp: start, data: { width: 390, height: 844, href: 'LampsView' } },
    {
      type: EventType.FullSnapshot,
      timestamp: start + 1,
      data: { wireframes: [screenshot], initialOffset: { top: 0, left: 0 } },
    },
  ]
  const touches = [touch(1000, MouseInteractions.TouchStart), touch(1080, MouseInteractions.TouchEnd)]
  const keyboard = {
    type: EventType.Custom,
    timestamp: start + 3000,
    data: { tag: 'keyboard', payload: { open: true, height: 260 } },
  }
  const changed = {
    type: EventType.IncrementalSnapshot,
    timestamp: start + 4000,
    data: { source: IncrementalSource.Mutation, updates: [{ wireframe: screenshot }] },
  }
  const batch = [
    item('0199aaaa-0000-7000-8000-000000000001', first, 'posthog-ios'),
    item('0199aaaa-0000-7000-8000-000000000002', touches, 'posthog-ios'),
    item('0199aaaa-0000-7000-8000-000000000003', [keyboard, changed], 'posthog-ios'),
  ]
  const body = gzipSync(JSON.stringify({ api_key: 'phc_1', batch, sent_at: new Date(start).toISOString() }))
  expect(await testing.post(body)).toEqual({ status: 200, text: '{"status":"Ok"}' })
  expect(await testing.recording('app-session')).toMatchObject({
    snapshot_source: 'mobile',
    distinct_id: 'app-user',
    start_url: 'LampsView',
    click_count: 1,
    mouse_activity_count: 2,
    keypress_count: 0,
    recording_duration: 4,
    dropped_events: 0,
  })
  const lines = (await testing.blocks('app-session')).flatMap((block) => block.split('\n'))
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [...first, ...touches, keyboard, changed].map((event) => ['app-session', event]),
  )
})
