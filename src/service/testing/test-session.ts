import {
  consolePlugin,
  EventType,
  IncrementalSource,
  MouseInteractions,
  networkPlugin,
  NodeType,
} from '../../replay/recorded/rrweb.ts'
import { activityOf, type Activity } from '../snapshots/activity.ts'
import { SessionFollower } from '../recordings/facts/follow-session.ts'
import { sessionFacts, type SessionFacts } from '../recordings/facts/session-facts.ts'
import type { CapturedEvent } from '../recordings/facts/captured-event.ts'
import { ruleSummary, type RuleSummary } from '../recordings/summary/rule-summary.ts'
import type { SessionEvent } from '../snapshots/unpack-event.ts'
import type { ActivityStrip } from '../recordings/facts/activity-strip.ts'
import { storedFacts } from '../recordings/descriptions/stored-facts.ts'
import type { StoredFacts } from '../store/schema/facts-tables.ts'

/** Start of every handwritten session, in milliseconds since the epoch. */
export const began = Date.parse('2026-03-04T10:00:00Z')

type Attributes = Record<string, string>
type Node = { id: number; type: number; childNodes?: Node[] } & Record<string, unknown>

export function element(
  id: number,
  tagName: string,
  attributes: Attributes = {},
  ...childNodes: Node[]
): Node {
  return { id, type: NodeType.Element, tagName, attributes, childNodes }
}

export function text(id: number, textContent: string): Node {
  return { id, type: NodeType.Text, textContent }
}

/** Returns a button with a text node, whose id is the button's plus 1000. */
export function button(id: number, name: string, attributes: Attributes = {}): Node {
  return element(id, 'button', attributes, text(id + 1000, name))
}

/** Returns an rrweb event, `seconds` after the session's start. */
export function eventAt(seconds: number, type: number, data: unknown, window = 'w1'): SessionEvent {
  return { window, type, timestamp: began + seconds * 1000, data }
}

/** Returns the events of opening a page, with enough content not to count as an empty frame. */
export function page(
  seconds: number,
  href: string,
  title: string,
  nodes: Node[] = [],
  window = 'w1',
): SessionEvent[] {
  const head = element(2, 'head', {}, element(3, 'title', {}, text(4, title)))
  const content = element(5, 'p', {}, text(6, 'A page with something to read on it.'))
  const root = {
    id: 1,
    type: NodeType.Document,
    childNodes: [head, element(7, 'body', {}, content, ...nodes)],
  }
  return [
    eventAt(seconds, EventType.Meta, { href, width: 1000, height: 500 }, window),
    eventAt(seconds, EventType.FullSnapshot, { node: root, initialOffset: { top: 0, left: 0 } }, window),
  ]
}

function incremental(seconds: number, source: number, data: object, window?: string): SessionEvent {
  return eventAt(seconds, EventType.IncrementalSnapshot, { source, ...data }, window)
}

export function click(seconds: number, id: number, [x, y] = [10, 10], window = 'w1'): SessionEvent {
  const clicked = { type: MouseInteractions.Click, id, x, y }
  return incremental(seconds, IncrementalSource.MouseInteraction, clicked, window)
}

export function input(seconds: number, id: number, typed: string, window = 'w1'): SessionEvent {
  return incremental(seconds, IncrementalSource.Input, { id, text: typed, isChecked: false }, window)
}

/** Returns a mutation that changes a text on the page. */
export function change(seconds: number, value = 'changed', id = 6): SessionEvent {
  const changes = { texts: [{ id, value }], attributes: [], removes: [], adds: [] }
  return incremental(seconds, IncrementalSource.Mutation, changes)
}

export function scroll(seconds: number, y: number): SessionEvent {
  return incremental(seconds, IncrementalSource.Scroll, { id: 1, x: 0, y })
}

/** Returns a mouse movement, which shows that the window is still open. */
export function move(seconds: number, window = 'w1'): SessionEvent {
  return incremental(seconds, IncrementalSource.MouseMove, { positions: [] }, window)
}

export function request(seconds: number, method: string, name: string, status: number): SessionEvent {
  const requests = [{ name, method, status, timestamp: began + seconds * 1000 }]
  return eventAt(seconds, EventType.Plugin, { plugin: networkPlugin, payload: { requests } })
}

export function consoleError(seconds: number, message: string): SessionEvent {
  const payload = { level: 'error', trace: [], payload: [JSON.stringify(message)] }
  return eventAt(seconds, EventType.Plugin, { plugin: consolePlugin, payload })
}

/** Returns an event that the site captured. */
export function captured(seconds: number, event: string, more: Partial<CapturedEvent> = {}): CapturedEvent {
  return {
    at: began + seconds * 1000,
    event,
    window: 'w1',
    type: '',
    element: '',
    message: '',
    screen: '',
    ...more,
  }
}

type SessionOptions = { captured?: CapturedEvent[]; ongoing?: boolean; isMobile?: boolean }

/** Reads a session from events in order of time. */
function readEvents(
  events: readonly SessionEvent[],
  { captured = [], ongoing = false, isMobile = false }: SessionOptions = {},
): { session: SessionFacts; strip: ActivityStrip; activity: Activity } {
  const [start = began, end = began] = [events[0]?.timestamp, events.at(-1)?.timestamp]
  const follower = new SessionFollower({ isMobile, start, end })
  const waiting = [...captured]
  for (const event of events) {
    while (waiting[0] && waiting[0].at <= event.timestamp)
      follower.addCapturedEvent(waiting.splice(0, 1)[0] ?? waiting[0])
    follower.addReplayEvent(event)
  }
  for (const event of waiting) follower.addCapturedEvent(event)
  follower.end({ ongoing })
  const activity = activityOf(events.map(({ timestamp }) => timestamp))
  const session = sessionFacts(follower, { start, end, ongoing, readUntil: null, activity })
  return { session, strip: follower.log.strip, activity }
}

/** Summarizes a session from events in order of time. */
export function summaryOf(events: readonly SessionEvent[], options?: SessionOptions): RuleSummary {
  return ruleSummary(readEvents(events, options).session)
}

/** Returns the facts of a recording from events in order of time. */
export function factsFrom(events: readonly SessionEvent[], options?: SessionOptions): StoredFacts {
  const device = { browser: null, os: null, device: null, country: null }
  return storedFacts({ ...readEvents(events, options), device, summary: null })
}

/** Returns the texts of a summary's moments of one kind. */
export function texts(summary: RuleSummary, kind: RuleSummary['moments'][number]['kind']): string[] {
  return summary.moments.filter((moment) => moment.kind === kind).map((moment) => moment.text)
}
