import {
  activeSources,
  clickInteractions,
  consoleLevel,
  consolePlugin,
  EventType,
  IncrementalSource,
  MouseInteractions,
  mutationParts,
  pageAddress,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { networkRequests, type NetworkRequest } from '../../../replay/recorded/network-request.ts'
import type { CapturedEvent } from './captured-event.ts'
import { ActivityStrip } from './activity-strip.ts'
import { ClickTracker } from './click-tracker.ts'
import { elementPhrase, looksClickable, nameElement, type ElementName } from './element-name.ts'
import { FactLog, type PageVisit } from './fact-log.ts'
import { FormTracker } from './form-tracker.ts'
import { listOf, numberOf, objectOf, textOf, type JsonObject } from '../../snapshots/json-value.ts'
import { NodeTable } from './node-table.ts'
import { pagePath } from './page-path.ts'
import { readable, safeMessage } from './readable-text.ts'
import { unpackData, type SessionEvent } from '../../snapshots/unpack-event.ts'
import { windowOf, type BrowserWindow } from './browser-window.ts'

/** Time (ms) without activity after which the person is idle, and without content after which a page is slow. */
const idleMsMin = 30_000
const blankMsMin = 4000
/** Letters (each image counts as 20) from which a page counts as having content. */
const contentMin = 20
/** Time (ms) within which a click reported by posthog-js is the same as a detected one. */
const sameClickMs = 5000
/** Count assumed for a rage click that posthog-js reports without a number. */
const rageClicks = 3

type ReportedClick = { kind: 'rage_click' | 'dead_click'; at: number; about: string; visit: PageVisit }

const clickedKinds: readonly ElementName['kind'][] = ['button', 'link', 'choice']

/** Processes a session's events in order of time and records the facts of its summary. */
export class SessionFollower {
  readonly log: FactLog
  readonly forms: FormTracker
  private readonly clicks: ClickTracker
  private readonly windows = new Map<string, BrowserWindow>()
  private readonly ends = new Map<string, number>()
  private readonly isMobile: boolean
  /** Rage and dead clicks reported by posthog-js; compared with the detected ones at the end. */
  private readonly reportedClicks: ReportedClick[] = []
  /** Whether the app reports its screens; its names are better than the recorder's. */
  private hasScreens = false
  private lastActive: number | null = null
  private lastAt: number | null = null

  /** The session's times are in milliseconds since the epoch. */
  constructor({ isMobile, start, end }: { isMobile: boolean; start: number; end: number }) {
    this.isMobile = isMobile
    this.log = new FactLog(new ActivityStrip(start, end))
    this.forms = new FormTracker(this.log)
    this.clicks = new ClickTracker(this.log)
  }

  addReplayEvent(event: SessionEvent): void {
    const { type, timestamp: at } = event
    const data = unpackData(event)
    const window = windowOf(this.windows, event.window)
    this.lastAt = Math.max(at, this.lastAt ?? at)
    this.ends.set(window.id, at)
    if (this.log.visits.length === 0) this.log.visit(window.id, '', at)
    if (type === EventType.Meta) {
      window.height = numberOf(data['height']) ?? window.height
      if (!this.hasScreens) this.openPage(window, pageAddress({ ...event, data }), at, true)
    } else if (type === EventType.FullSnapshot) this.replace(window, data, at)
    else if (type === EventType.Custom) this.custom(window, { ...event, data }, at)
    else if (type === EventType.Plugin) this.plugin(window, data, at)
    else if (type === EventType.IncrementalSnapshot) this.incremental(window, data, at)
  }

  addCapturedEvent({ at, event, window, element, message, screen }: CapturedEvent): void {
    if (this.log.visits.length === 0) this.log.visit(window, '', at)
    if (event === '$screen') {
      this.hasScreens = true
      this.openPage(windowOf(this.windows, window), screen, at, false)
    } else if (event === '$autocapture') this.forms.submitted(window, at)
    else if (event === '$exception') {
      const about = safeMessage(message) ?? 'an error without a message'
      this.log.add({ kind: 'exception', at, about, after: this.log.cause(at) })
    } else if (event === '$rageclick' || event === '$dead_click') {
      const name = readable(element, 60)
      const about = name === null ? 'the page' : `“${name}”`
      const kind = event === '$rageclick' ? 'rage_click' : 'dead_click'
      this.reportedClicks.push({ kind, at, about, visit: this.log.current })
    } else this.log.add({ kind: 'event', at, about: `“${readable(event, 60) ?? 'event'}”` })
  }

  /** Completes the log; call once, after the last event. */
  end({ ongoing }: { ongoing: boolean }): void {
    this.clicks.end(this.ends)
    for (const click of this.reportedClicks) {
      const { kind, at } = click
      const known = this.log.of(kind)
      const isKnown = known.some((fact) => at >= fact.at - sameClickMs && at <= fact.until + sameClickMs)
      if (!isKnown) this.log.add({ ...click, count: kind === 'rage_click' ? rageClicks : 1 })
    }
    if (!ongoing) this.forms.end()
    this.titleVisit()
    const last = this.log.visits.at(-1)
    if (last) last.end = Math.max(last.end, this.lastAt ?? last.end)
  }

  private openPage(window: BrowserWindow, href: string, at: number, loads: boolean): void {
    if (href === '') return
    const isSame = window.href !== '' && pagePath(href) === pagePath(window.href)
    this.clicks.changed(window.id, at)
    if (isSame) return
    const isFirst = window.href === ''
    this.titleVisit()
    if (!isFirst) this.forms.left(window.id, at)
    if (!isFirst && loads) window.blankSince = at
    if (loads) window.table = new NodeTable()
    window.href = href
    this.log.visit(window.id, href, at)
  }

  /** Sets the last visit's title to its page's current title, unless activity has already set one. */
  private titleVisit(): void {
    const visit = this.log.visits.at(-1)
    if (visit) visit.title ||= this.windows.get(visit.window)?.table.title ?? ''
  }

  private replace(window: BrowserWindow, data: JsonObject, at: number): void {
    window.table = new NodeTable(data)
    window.blankSince ??= window.table.content < contentMin ? at : null
    this.changed(window, at)
  }

  private changed(window: BrowserWindow, at: number): void {
    this.clicks.changed(window.id, at)
    if (window.blankSince === null || window.table.content < contentMin) return
    const since = window.blankSince
    window.blankSince = null
    if (at - since >= blankMsMin) this.log.add({ kind: 'long_wait', at: since, until: at, about: 'the page' })
  }

  private custom(window: BrowserWindow, event: ReplayEvent, at: number): void {
    if (event.data['tag'] === 'window hidden') this.clicks.responded(window.id, at)
    else this.openPage(window, pageAddress(event), at, false)
  }

  private plugin(window: BrowserWindow, data: JsonObject, at: number): void {
    if (data['plugin'] === consolePlugin) consoleFacts(this.log, objectOf(data['payload']), at)
    const requests = networkRequests({ type: EventType.Plugin, timestamp: at, data })
    const starts = requests.map(({ startedAt }) => startedAt)
    if (starts.length > 0) this.clicks.responded(window.id, Math.min(...starts))
    networkFacts(this.log, requests, at)
  }

  private incremental(window: BrowserWindow, data: JsonObject, at: number): void {
    const source = numberOf(data['source'])
    if (source === null) return
    if (source === IncrementalSource.Mutation) {
      window.table.mutate(data)
      const parts = [...mutationParts, 'updates'].map((part) => data[part])
      if (parts.some((part) => listOf(part).length > 0)) this.changed(window, at)
      return
    }
    if (activeSources.has(source)) this.recordActivity(window, source, at)
    if (source === IncrementalSource.MouseInteraction) this.interact(window, data, at)
    else if (source === IncrementalSource.Input) this.input(window, data, at)
    else if (source === IncrementalSource.Scroll) this.scroll(window, data, at)
    else if (source === IncrementalSource.Selection || source === IncrementalSource.MediaInteraction)
      this.clicks.responded(window.id, at)
    else if (source !== IncrementalSource.MouseMove && !activeSources.has(source)) this.changed(window, at)
  }

  /** Records activity: ends an idle period and detects a switch to another window. */
  private recordActivity(window: BrowserWindow, source: number, at: number): void {
    const idle = this.lastActive !== null && at - this.lastActive >= idleMsMin
    if (idle) this.log.add({ kind: 'idle', at: this.lastActive ?? at, until: at, about: 'the page' })
    this.lastActive = at
    const visit = this.log.current
    const isInteraction = source === IncrementalSource.MouseInteraction || source === IncrementalSource.Input
    if (visit.window !== window.id && isInteraction && window.href !== '') {
      this.titleVisit()
      this.log.visit(window.id, window.href, at)
    }
    const { current } = this.log
    if (current.window === window.id) current.title = window.table.title || current.title
  }

  private interact(window: BrowserWindow, data: JsonObject, at: number): void {
    const type = numberOf(data['type'])
    if (type !== null && clickInteractions.has(type)) this.log.current.clicks += 1
    if (type !== (this.isMobile ? MouseInteractions.TouchEnd : MouseInteractions.Click)) return
    this.log.strip.mark('click', at)
    window.blankSince = null
    const [x, y] = [numberOf(data['x']) ?? 0, numberOf(data['y']) ?? 0]
    // A touch on an app's screen names the finger instead of the element.
    const element = nameElement(window.table, this.isMobile ? window.table.at(x, y) : numberOf(data['id']))
    const about = elementPhrase(element)
    const clickable = looksClickable(window.table, element)
    this.clicks.click({ window: window.id, at, x, y, element: element.id, about, clickable })
    if (clickedKinds.includes(element.kind) || element.name !== null)
      this.log.add({ kind: 'click', at, about })
    this.forms.click(window, element, at)
  }

  private input(window: BrowserWindow, data: JsonObject, at: number): void {
    const node = numberOf(data['id'])
    if (node === null || data['userTriggered'] === false) return
    this.clicks.responded(window.id, at)
    this.log.current.keypresses += 1
    if (this.forms.input(window, node, textOf(data['text']), at)) this.clicks.movedOn(window.id, at)
  }

  private scroll(window: BrowserWindow, data: JsonObject, at: number): void {
    this.clicks.scrolled(window.id, at)
    const screens = (numberOf(data['y']) ?? 0) / Math.max(window.height, 1)
    this.log.current.screens = Math.max(this.log.current.screens, screens)
  }
}

/** Records errors from a payload of the console plugin. */
function consoleFacts(log: FactLog, payload: JsonObject, at: number): void {
  const { level, payload: parts } = payload
  if (consoleLevel(level) !== 'error') return
  const message = safeMessage(listOf(parts).map(consoleText).join(' '))
  log.add({ kind: 'console_error', at, about: message ?? 'an error without a message', after: log.cause(at) })
}

/** Records the failed requests. */
function networkFacts(log: FactLog, requests: readonly NetworkRequest[], at: number): void {
  for (const { url, method, status, hasFailed } of requests) {
    if (!hasFailed) continue
    const result = status ? `returned ${status}` : 'got no response'
    const about = `${method?.slice(0, 10) ?? 'GET'} ${pagePath(url)} ${result}`
    log.add({ kind: 'failed_request', at, about, after: log.cause(at) })
  }
}

/** Decodes an argument of the console, which the recorder serialises as JSON. */
function consoleText(part: unknown): string {
  const text = textOf(part)
  if (!text.startsWith('"')) return text
  try {
    return textOf(JSON.parse(text))
  } catch {
    // Cut off by the recorder.
    return text.slice(1)
  }
}
