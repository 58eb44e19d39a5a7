import { type FrameLocator, type Page } from '@playwright/test'
import { signIn, type Tenant } from './journey.ts'
import {
  clicked,
  element,
  logged,
  packed,
  pageShown,
  requested,
  sendSession,
  textChanged,
  type RecordedEvent,
} from './recorded-session.ts'
import type { RunningService } from './service.ts'

export const minute = 60_000

/** Locates the replayed page. */
export function recordedPage(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="The recorded page"]').frameLocator('iframe:visible')
}

export function slider(page: Page) {
  return page.getByRole('slider', { name: 'Playback position' })
}

/** Two minutes in a lamp shop, half of them idle; each text says when it is shown. */
export function visitToShop(start: number): RecordedEvent[] {
  const heading = element('h1', {}, 'At the beginning')
  const text = textIn(heading)
  const [meta, snapshot] = pageShown(start, {
    head: [element('style', {}, 'h1 { color: rgb(0, 128, 0) }')],
    body: [heading, element('button', {}, 'Buy')],
  })
  if (!meta || !snapshot) throw new Error('a page starts with its size and its snapshot')
  const busy = Array.from({ length: 12 }, (_, index) => clicked(start + 2_000 + index * 4_000, heading.id))
  return [
    meta,
    packed(snapshot),
    ...busy,
    logged(start + 10_000, 'error', 'The lamp could not be lit'),
    requested(start + 20_000, 'https://shop.example/api/cart', 500),
    textChanged(start + 30_000, text, 'After half a minute'),
    clicked(start + 118_000, heading.id),
    textChanged(start + 2 * minute, text, 'At the end'),
  ]
}

export function textIn(node: object): number {
  const [text] = (node as { childNodes: { id: number }[] }).childNodes
  if (!text) throw new Error('the element has no text')
  return text.id
}

export async function watchShop(page: Page, service: RunningService, tenant: Tenant, search = '') {
  const session = await sendSession(service, tenant, visitToShop(Date.now() - 10 * minute))
  await signIn(page, service, tenant.api_key, `/recordings/${session}${search}`)
  return session
}

export async function makeKey(service: RunningService, tenant: Tenant, scopes: string): Promise<string> {
  const of = ['--organization', tenant.organization_id, '--label', 'Other', '--scopes', scopes]
  return (await service.admin<{ api_key: string }>('key', 'create', ...of)).api_key
}

export function apiOf(service: RunningService, tenant: Tenant, session: string) {
  const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
  return async (method: string, path = '', body?: object) => {
    const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
}
