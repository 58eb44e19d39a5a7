import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { Tenant } from './journey.ts'
import { clicked, element, logged, pageShown, type RecordedEvent } from './recorded-session.ts'
import type { RunningService } from './service.ts'

export type CapturedVisit = {
  /** Local part of the visitor's e-mail address, which is the name of the recording. */
  visitor: string
  /** Start of the visit, in minutes before now. */
  minutesAgo: number
  seconds?: number
  clicks?: number
  errors?: readonly string[]
  path?: string
}

/** Captures visits as posthog-js sends them, waits until they are listed, and returns their session ids. */
export async function captureVisits(
  service: RunningService,
  tenant: Tenant,
  visits: readonly CapturedVisit[],
): Promise<string[]> {
  const before = await recordingsOf(service, tenant)
  const batch = visits.map((visit) => ({
    uuid: randomUUID(),
    event: '$snapshot',
    timestamp: new Date().toISOString(),
    properties: {
      $snapshot_data: eventsOf(visit),
      $session_id: randomUUID(),
      $window_id: 'window-1',
      distinct_id: emailOf(visit.visitor),
    },
  }))
  const response = await fetch(`${service.origin}/s/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: tenant.project_token, batch }),
  })
  if (response.status !== 200) throw new Error(await response.text())
  await expect.poll(() => recordingsOf(service, tenant), { timeout: 30_000 }).toBe(before + visits.length)
  return batch.map(({ properties }) => properties.$session_id)
}

export function emailOf(visitor: string): string {
  return `${visitor}@shop.example`
}

/** Returns the number of recordings in the project. */
export async function recordingsOf({ origin }: RunningService, tenant: Tenant): Promise<number> {
  const url = `${origin}/api/projects/${tenant.project_id}/session_recordings/?limit=1`
  const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.api_key}` } })
  const { count }: { count: number } = await response.json()
  return count
}

function eventsOf({
  minutesAgo,
  seconds = 30,
  clicks = 1,
  errors = [],
  path = '/',
}: CapturedVisit): RecordedEvent[] {
  const start = Date.now() - minutesAgo * 60_000
  const end = start + seconds * 1_000
  const button = element('button', {}, 'Buy')
  const timeOf = (index: number, total: number) => start + Math.round(((index + 1) * seconds * 900) / total)
  return [
    ...pageShown(start, { body: [button], href: `https://shop.example${path}` }),
    ...Array.from({ length: clicks }, (_, index) => clicked(timeOf(index, clicks), button.id)),
    ...errors.map((error, index) => logged(timeOf(index, errors.length), 'error', error)),
    clicked(end, button.id),
  ]
}
