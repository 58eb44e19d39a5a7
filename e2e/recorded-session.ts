import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import {
  consolePlugin,
  EventType,
  IncrementalSource,
  MouseInteractions,
  networkPlugin,
  NodeType,
} from '../src/replay/recorded/rrweb.ts'
import type { Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

export type RecordedEvent = { type: number; timestamp: number; data: unknown; cv?: string }
type RecordedNode = { id: number; type: number; [key: string]: unknown }

let lastId = 0

/** Returns an element as rrweb records it. */
export function element(
  tagName: string,
  attributes: Record<string, unknown> = {},
  ...childNodes: (RecordedNode | string)[]
): RecordedNode {
  const children = childNodes.map((child) => (typeof child === 'string' ? textNode(child) : child))
  return { id: ++lastId, type: NodeType.Element, tagName, attributes, childNodes: children }
}

function textNode(textContent: string): RecordedNode {
  return { id: ++lastId, type: NodeType.Text, textContent }
}

/** Returns the first events of a page: its size and its full snapshot. */
export function pageShown(
  timestamp: number,
  {
    head = [],
    body,
    href = 'https://shop.example/',
  }: { head?: RecordedNode[]; body: RecordedNode[]; href?: string },
): RecordedEvent[] {
  const html = element('html', {}, element('head', {}, ...head), element('body', {}, ...body))
  const node = {
    id: ++lastId,
    type: NodeType.Document,
    childNodes: [
      { id: ++lastId, type: NodeType.DocumentType, name: 'html', publicId: '', systemId: '' },
      html,
    ],
  }
  return [
    { type: EventType.Meta, timestamp, data: { href, width: 800, height: 600 } },
    {
      type: EventType.FullSnapshot,
      timestamp: timestamp + 1,
      data: { node, initialOffset: { left: 0, top: 0 } },
    },
  ]
}

/** Returns the event of a changed text node. */
export function textChanged(timestamp: number, id: number, value: string): RecordedEvent {
  const data = {
    source: IncrementalSource.Mutation,
    texts: [{ id, value }],
    attributes: [],
    removes: [],
    adds: [],
  }
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}

export function clicked(timestamp: number, id: number): RecordedEvent {
  return {
    type: EventType.IncrementalSnapshot,
    timestamp,
    data: { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click, id, x: 40, y: 40 },
  }
}

export function logged(timestamp: number, level: string, text: string): RecordedEvent {
  const payload = { level, payload: [JSON.stringify(text)], trace: ['at shop.js:1:1'] }
  return { type: EventType.Plugin, timestamp, data: { plugin: consolePlugin, payload } }
}

export function requested(timestamp: number, name: string, status: number): RecordedEvent {
  const request = {
    name,
    method: 'POST',
    timestamp,
    responseStatus: status,
    duration: 12,
    entryType: 'resource',
  }
  return {
    type: EventType.Plugin,
    timestamp,
    data: { plugin: networkPlugin, payload: { requests: [request] } },
  }
}

/** Packs an event as posthog-js does. */
export function packed(event: RecordedEvent): RecordedEvent {
  const data = gzipSync(JSON.stringify(event.data)).toString('latin1')
  return { ...event, data, cv: '2024-10' }
}

type SessionOptions = { session?: string; window?: string; properties?: Record<string, unknown> }

/** Sends a part of a session as posthog-js does, waits until it can be replayed, and returns the session's id. */
export async function sendSession(
  { origin }: RunningService,
  tenant: Tenant,
  events: readonly RecordedEvent[],
  { session = randomUUID(), window = 'window-1', properties }: SessionOptions = {},
): Promise<string> {
  const all = {
    $snapshot_data: events,
    $session_id: session,
    $window_id: window,
    distinct_id: 'ada',
    ...properties,
  }
  const timestamp = new Date().toISOString()
  const item = { uuid: randomUUID(), event: '$snapshot', properties: all, timestamp }
  const response = await fetch(`${origin}/s/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: tenant.project_token, batch: [item] }),
  })
  if (response.status !== 200) throw new Error(await response.text())
  const end = Math.max(...events.map(({ timestamp }) => timestamp))
  const url = `${origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
  const isStored = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.api_key}` } })
    const { end_time: ended = '' } = (await response.json()) as { end_time?: string }
    return Date.parse(ended) >= end
  }
  await expect.poll(isStored).toBe(true)
  return session
}

/** Counts the recordings whose facts, with the moment to show, the service has read. */
export async function describedRecordings({ origin }: RunningService, tenant: Tenant): Promise<number> {
  const url = `${origin}/api/projects/${tenant.project_id}/session_recordings/`
  const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.api_key}` } })
  const { results }: { results: { facts: object | null }[] } = await response.json()
  return results.filter(({ facts }) => facts !== null).length
}
