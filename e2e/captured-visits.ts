import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { Tenant } from './journey.ts'
import { clicked, element, logged, pageShown, type RecordedEvent } from './recorded-session.ts'
import type { RunningService } from './service.ts'

export type CapturedVisit = {
  visitor: string
  /** Minutes before now at which it began. */
  minutesAgo: number
  seconds?: number
  clicks?: number
  errors?: readonly string[]
  path?: string
}

/** Captures these visits as posthog-js sends them, and waits until all of them are listed. The answer holds their session ids. */
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
      distinct_id: visit.visitor,
    },
  }))
  const answer = await fetch(`${service.origin}/s/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: tenant.project_token, batch }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  await expect.poll(() => recordingsOf(service, tenant), { timeout: 30_000 }).toBe(before + visits.length)
  return batch.map(({ properties }) => properties.$session_id)
}

/** How many recordings the project has. */
export async function recordingsOf({ origin }: RunningService, tenant: Tenant): Promise<number> {
  const url = `${origin}/api/projects/${tenant.project_id}/session_recordings/?limit=1`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${tenant.api_key}` } })
  const { count }: { count: number } = await answer.json()
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
  const within = (index: number, many: number) => start + Math.round(((index + 1) * seconds * 900) / many)
  return [
    ...pageShown(start, { body: [button], href: `https://shop.example${path}` }),
    ...Array.from({ length: clicks }, (_, index) => clicked(within(index, clicks), button.id)),
    ...errors.map((error, index) => logged(within(index, errors.length), 'error', error)),
    clicked(end, button.id),
  ]
}
