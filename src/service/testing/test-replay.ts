import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import {
  consolePlugin,
  EventType,
  IncrementalSource,
  networkPlugin,
  type RecordedEvent,
} from '../../replay/recorded/rrweb.ts'
import { testClock } from './test-clock.ts'
import { testServices } from './test-services.ts'
import { readBlock } from '../snapshots/blocks.ts'
import { findRows, insertRow } from '../store/schema/rows.ts'
import { captureRoutes } from '../capture/routes.ts'

export type TestReplay = Awaited<ReturnType<typeof testReplay>>

export const now = Date.UTC(2026, 0, 5, 10, 20, 30, 400)

/** Opens the capture routes on real engines at a fixed time, with functions that read the stored data of a session. */
export async function testReplay() {
  const clock = testClock(now)
  const { services, stop } = await testServices(clock)
  const { store, objects, warehouse } = services
  const created_at = new Date(0)
  const organization = { id: randomUUID(), name: 'o', created_at }
  await insertRow(store, 'organizations', organization)
  const project = { organization_id: organization.id, name: 'p', api_token: 'phc_1', created_at }
  const { id: projectId } = await insertRow(store, 'projects', project)
  const app = Fastify()
  await app.register(captureRoutes(services, { check: () => undefined, count: () => undefined }))

  async function post(body: string | Buffer, url = '/s/'): Promise<{ status: number; text: string }> {
    const response = await app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': 'text/plain' },
    })
    return { status: response.statusCode, text: response.body }
  }

  const recording = (id: string) =>
    store.selectFrom('session_recordings').selectAll().where('session_id', '=', id).executeTakeFirstOrThrow()

  return {
    services: { ...services, clock },
    app,
    projectId,
    post,
    recording,
    /** Sends items; throws unless they are stored. */
    async send(items: readonly unknown[]): Promise<void> {
      const { status, text } = await post(JSON.stringify({ api_key: 'phc_1', batch: items }))
      if (status !== 200) throw new Error(text)
    },
    /** Returns the texts of the session's blocks, by number. */
    async blocks(sessionId: string): Promise<string[]> {
      const { id: recording_id } = await recording(sessionId)
      const rows = await findRows(store, 'session_recording_blocks', { recording_id }, sql`ORDER BY number`)
      const texts = await Promise.all(rows.map((row) => readBlock(objects, row.object_key)))
      for (const [number, row] of rows.entries()) {
        if (row.number !== number || row.bytes !== texts[number]?.length)
          throw new Error('a block has the wrong number or size')
      }
      return texts.map(String)
    },
    consoleEntries: (sessionId: string) =>
      warehouse.query<{ level: string; message: string; window_id: string; timestamp: string }>(
        `SELECT level, message, window_id, timestamp FROM console_entries FINAL WHERE session_id = {sessionId: String}
         ORDER BY timestamp, position`,
        { params: { sessionId } },
      ),
    failedRequests: (sessionId: string) =>
      warehouse.query<{ host: string; status: number }>(
        `SELECT host, status FROM session_failed_requests FINAL WHERE session_id = {sessionId: String} ORDER BY host, status`,
        { params: { sessionId } },
      ),
    async cleanup(): Promise<void> {
      await app.close()
      await stop()
    },
  }
}

type SnapshotOptions = {
  uuid?: string
  distinctId?: string
  windowId?: string
  source?: string
  events: readonly RecordedEvent[]
}

/** Returns a `$snapshot` item as posthog-js sends it. */
export function snapshotItem(sessionId: string, options: SnapshotOptions) {
  return {
    uuid: options.uuid ?? randomUUID(),
    event: '$snapshot',
    properties: {
      $snapshot_data: options.events,
      $session_id: sessionId,
      $window_id: options.windowId ?? 'window-1',
      distinct_id: options.distinctId ?? 'visitor',
      ...(options.source && { $snapshot_source: options.source }),
    },
  }
}

/** Creates events of a visitor or a page, `at` milliseconds after the start. */
export const recorded = {
  page: (at: number, href: string): RecordedEvent =>
    event(at, EventType.Meta, { href, width: 1280, height: 720 }),
  url: (at: number, tag: string, href: string): RecordedEvent =>
    event(at, EventType.Custom, { tag, payload: { href } }),
  interaction: (at: number, type: number): RecordedEvent =>
    event(at, EventType.IncrementalSnapshot, {
      source: IncrementalSource.MouseInteraction,
      type,
      id: 7,
      x: 1,
      y: 2,
    }),
  source: (at: number, source: number): RecordedEvent =>
    event(at, EventType.IncrementalSnapshot, { source, id: 7 }),
  log: (at: number, level: string, ...parts: unknown[]): RecordedEvent =>
    event(at, EventType.Plugin, {
      plugin: consolePlugin,
      payload: { level, trace: [], payload: parts.map((part) => JSON.stringify(part)) },
    }),
  requests: (at: number, ...requests: unknown[]): RecordedEvent =>
    event(at, EventType.Plugin, { plugin: networkPlugin, payload: { requests } }),
}

/** Returns a request as posthog-js records it, with the status of its response. */
export function requestWith(status: number) {
  return { name: 'https://api.example/cart', method: 'GET', initiatorType: 'xmlhttprequest', status }
}

export const start = now - 3_600_000

function event(at: number, type: number, data: Record<string, unknown>): RecordedEvent {
  return { type, timestamp: start + at, data }
}
