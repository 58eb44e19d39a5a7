/* rrweb's recording format, for the service and the dashboard. Names and numbers are rrweb's own. */

export const EventType = {
  DomContentLoaded: 0,
  Load: 1,
  FullSnapshot: 2,
  IncrementalSnapshot: 3,
  Meta: 4,
  Custom: 5,
  Plugin: 6,
  Asset: 7,
  Annotation: 8,
} as const

export const IncrementalSource = {
  Mutation: 0,
  MouseMove: 1,
  MouseInteraction: 2,
  Scroll: 3,
  ViewportResize: 4,
  Input: 5,
  TouchMove: 6,
  MediaInteraction: 7,
  StyleSheetRule: 8,
  CanvasMutation: 9,
  Font: 10,
  Log: 11,
  Drag: 12,
  StyleDeclaration: 13,
  Selection: 14,
  AdoptedStyleSheet: 15,
  CustomElement: 16,
} as const

export const MouseInteractions = {
  MouseUp: 0,
  MouseDown: 1,
  Click: 2,
  ContextMenu: 3,
  DblClick: 4,
  Focus: 5,
  Blur: 6,
  TouchStart: 7,
  TouchMove_Departed: 8,
  TouchEnd: 9,
  TouchCancel: 10,
} as const

export const MediaInteractions = { Play: 0, Pause: 1, Seeked: 2, VolumeChange: 3, RateChange: 4 } as const

export const NodeType = {
  Document: 0,
  DocumentType: 1,
  Element: 2,
  Text: 3,
  CDATA: 4,
  Comment: 5,
} as const

export const consolePlugin = 'rrweb/console@1'
export const networkPlugin = 'rrweb/network@1'

/** An event as posthog-js sends it. With `cv`, `data` or parts of it are gzip bytes encoded as Latin-1 text. */
export type RecordedEvent = {
  /** One of `EventType`, or a type that a later rrweb adds. */
  type: number
  /** Milliseconds since the epoch by the visitor's clock, possibly fractional. */
  timestamp: number
  data?: Record<string, unknown> | string
  cv?: string
}

/** An event whose data is unpacked. */
export type ReplayEvent = Pick<RecordedEvent, 'type' | 'timestamp'> & { data: Record<string, unknown> }

/** An event in one of the session's browser windows. */
export type WindowEvent = { window: string; event: ReplayEvent }

/** Sources whose data is a list of `positions`. */
export const moveSources: ReadonlySet<unknown> = new Set([
  IncrementalSource.MouseMove,
  IncrementalSource.TouchMove,
  IncrementalSource.Drag,
])

/** Sources caused by a person rather than the page: mouse, touch, scrolling, resizing, input, media, dragging. */
export const activeSources: ReadonlySet<unknown> = new Set([
  ...moveSources,
  IncrementalSource.MouseInteraction,
  IncrementalSource.Scroll,
  IncrementalSource.ViewportResize,
  IncrementalSource.Input,
  IncrementalSource.MediaInteraction,
])

/** Mouse interactions that count as a click. */
export const clickInteractions: ReadonlySet<unknown> = new Set([
  MouseInteractions.Click,
  MouseInteractions.ContextMenu,
  MouseInteractions.DblClick,
  MouseInteractions.TouchEnd,
])

/** Lists of a mutation; posthog-js compresses each separately. */
export const mutationParts = ['texts', 'attributes', 'removes', 'adds'] as const

/** Returns a change of the page at a time (ms since the epoch). */
export function incremental(timestamp: number, data: Record<string, unknown>): ReplayEvent {
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}

/** Returns a mutation at a time (ms since the epoch); lists that are left out are empty. */
export function mutation(
  timestamp: number,
  parts: Partial<Record<(typeof mutationParts)[number], object[]>>,
): ReplayEvent {
  const lists = { texts: [], attributes: [], removes: [], adds: [], ...parts }
  return incremental(timestamp, { source: IncrementalSource.Mutation, ...lists })
}

/** Returns an event's data if it is not compressed as a whole, else {}. */
export function readableData({ data }: RecordedEvent): Record<string, unknown> {
  return isObject(data) ? data : {}
}

/** Returns the event's `IncrementalSource`; undefined unless the event is an incremental snapshot. */
export function sourceOf(event: RecordedEvent): unknown {
  return event.type === EventType.IncrementalSnapshot ? readableData(event)['source'] : undefined
}

/** Whether a person caused the event. */
export function isActive(event: RecordedEvent): boolean {
  return activeSources.has(sourceOf(event))
}

export function isClick(event: RecordedEvent): boolean {
  return (
    sourceOf(event) === IncrementalSource.MouseInteraction &&
    clickInteractions.has(readableData(event)['type'])
  )
}

/** Whether the event contains text that the visitor entered, as asterisks. */
export function isMaskedText(event: RecordedEvent): boolean {
  const { text } = readableData(event)
  return sourceOf(event) === IncrementalSource.Input && typeof text === 'string' && /^\*+$/.test(text)
}

export function isFromPlugin(event: RecordedEvent, plugin: string): boolean {
  return event.type === EventType.Plugin && readableData(event)['plugin'] === plugin
}

const pageTags: ReadonlySet<unknown> = new Set(['$pageview', '$url_changed'])

/** Returns the page's address from this event on; "" when the event has none. */
export function pageAddress(event: RecordedEvent): string {
  const data = readableData(event)
  const isPageTag = event.type === EventType.Custom && pageTags.has(data['tag'])
  const holder = event.type === EventType.Meta ? data : isPageTag ? data['payload'] : null
  const href = isObject(holder) ? holder['href'] : null
  return typeof href === 'string' ? href : ''
}

export type ConsoleLevel = 'log' | 'warn' | 'error'

/** Returns the level of a console line, given the name of the console method. */
export function consoleLevel(method: unknown): ConsoleLevel {
  if (method === 'error' || method === 'assert') return 'error'
  return method === 'warn' ? 'warn' : 'log'
}

/** Returns a console argument as the console displays it; the recorder encodes strings as JSON. */
export function consoleArgument(argument: unknown): string {
  if (typeof argument !== 'string') return JSON.stringify(argument)
  if (!argument.startsWith('"')) return argument
  try {
    return String(JSON.parse(argument))
  } catch {
    // The text merely starts with a quotation mark, or the recorder truncated it.
    return argument
  }
}

/**
 * Parses a line of a block, `["<window id>", <event>]`; null when the line is damaged. The event's `data` and `cv` are not
 * validated.
 */
export function parseSnapshotLine(
  line: string,
): { window: string; event: { type: number; timestamp: number; data: unknown; cv: unknown } } | null {
  try {
    const value: unknown = JSON.parse(line)
    const [window, event]: unknown[] = Array.isArray(value) ? value : []
    if (typeof window !== 'string' || !isObject(event)) return null
    const { type, timestamp, data, cv } = event
    if (typeof type !== 'number' || typeof timestamp !== 'number') return null
    return { window, event: { type, timestamp, data, cv } }
  } catch {
    // The line is truncated; the other lines of the block are intact.
    return null
  }
}

export type Size = { width: number; height: number }
/** Size of a window whose size was not recorded, in pixels. */
export const defaultSize: Size = { width: 1280, height: 720 }

/** Whether the data of a `Meta` or `ViewportResize` event contains a plausible window size in pixels. */
export function isSize(data: Record<string, unknown>): data is Size {
  return isLength(data['width']) && isLength(data['height'])
}

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= 20_000
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the objects in a list; none if the value is not a list. */
export function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Returns the nodes of a serialised tree in document order. */
export function* nodesIn(root: unknown): Generator<Record<string, unknown>> {
  const pending = objectsIn([root])
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node
    for (const child of objectsIn(node['childNodes']).toReversed()) pending.push(child)
  }
}

/** Returns the nodes that an event adds to the page: those of a full snapshot, or of a mutation's new trees. */
export function addedNodes({ type, data }: ReplayEvent): Record<string, unknown>[] {
  const roots = type === EventType.FullSnapshot ? [data] : objectsIn(data['adds'])
  return roots.flatMap(({ node }) => [...nodesIn(node)])
}
