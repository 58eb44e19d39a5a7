import { setTimeout } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import {
  consolePlugin,
  isFromPlugin,
  parseSnapshotLine,
  type RecordedEvent,
  type Size,
} from '../../src/replay/recorded/rrweb.ts'
import { isRecording } from '../is-recording.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'
import type { ConformancePage } from './conformance-page.ts'
import { settledPicture } from './picture.ts'
import type { Site } from './site.ts'

/** A recorded visit, and a picture of the page at one moment. */
export type Visit = {
  session: string
  events: RecordedEvent[]
  /** Time of the picture, in milliseconds since the epoch by the visitor's clock. */
  at: number
  picture: Buffer
  size: Size
}

const defaultSize: Size = { width: 800, height: 600 }
const moment = 'moment of the picture'
const storedMsMax = 30_000

/** Visits a page that records itself, and returns the recording once it is stored. */
export async function visit(
  browser: Browser,
  site: Site,
  conformancePage: ConformancePage,
  service: RunningService,
  tenant: Tenant,
): Promise<Visit> {
  const { act, awaits, size = defaultSize, hasTouch = false, contrast = null } = conformancePage
  const context = await browser.newContext({ viewport: size, hasTouch, contrast })
  const page = await context.newPage()
  await page.goto(site.url(conformancePage))
  await page.waitForFunction(isRecording)
  // posthog-js sends nothing before a visitor's first action.
  await page.mouse.move(size.width - 2, size.height - 2)
  await page.mouse.move(size.width - 1, size.height - 1)
  await act?.(page)
  const session = await page.evaluate(sessionId)
  if (awaits) await storedEvents(service, tenant, session, awaits)
  const picture = await settledPicture(page)
  await page.evaluate((text) => console.log(text), moment)
  const events = await storedEvents(service, tenant, session, isMoment)
  const sizeThen = page.viewportSize() ?? size
  await context.close()
  const at = events.find(isMoment)?.timestamp ?? 0
  return { session, events, at, picture, size: sizeThen }
}

function sessionId(): string {
  return (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id()
}

function isMoment(event: RecordedEvent): boolean {
  return isFromPlugin(event, consolePlugin) && JSON.stringify(event.data).includes(moment)
}

/** Returns a session's events in chronological order, once the awaited event is among them. */
async function storedEvents(
  service: RunningService,
  tenant: Tenant,
  session: string,
  isAwaited: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent[]> {
  for (const until = Date.now() + storedMsMax; Date.now() < until; await setTimeout(200)) {
    const events = await readEvents(service, tenant, session)
    if (events.some(isAwaited)) return events
  }
  throw new Error(`The awaited event of ${session} was not stored within ${storedMsMax} ms.`)
}

async function readEvents(
  { origin }: RunningService,
  { project_id, api_key }: Tenant,
  session: string,
): Promise<RecordedEvent[]> {
  const url = `${origin}/api/projects/${project_id}/session_recordings/${session}/snapshots/`
  const headers = { authorization: `Bearer ${api_key}` }
  const response = await fetch(url, { headers })
  const { sources = [] } = (await response.json()) as { sources?: { blob_key: string }[] }
  const events: RecordedEvent[] = []
  for (const { blob_key: key } of sources) {
    const block = await fetch(`${url}?source=blob_v2&start_blob_key=${key}&end_blob_key=${key}`, { headers })
    for (const line of (await block.text()).split('\n')) {
      const parsed = parseSnapshotLine(line)
      if (parsed) events.push(parsed.event as RecordedEvent)
    }
  }
  return events.toSorted((one, other) => one.timestamp - other.timestamp)
}
