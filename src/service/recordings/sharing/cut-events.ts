import { requestsWithin } from '../../../replay/recorded/network-request.ts'
import {
  defaultSize,
  EventType,
  isActive,
  isFromPlugin,
  isSize,
  networkPlugin,
  pageAddress,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { shownWith, type LinkShows } from '../../../contract/recordings/recording-rules.ts'
import type { LinkMask } from '../../../contract/recordings/sharing.ts'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import { applyEvent, copyPage, openPage } from '../../../replay/page.ts'
import { eventsShowing } from '../../../replay/page-changes.ts'
import type { Page } from '../../../replay/page-tree.ts'
import {
  applyToScreen,
  eventsShowingScreen,
  isWireframeSnapshot,
  openScreen,
  type Screen,
} from '../../../replay/screen.ts'
import { readSessionEvent, unpackData } from '../../snapshots/unpack-event.ts'
import { MaskedNodes } from '../../masking/masked-nodes.ts'
import { maskAnimations, maskEvent } from '../../masking/mask-event.ts'
import { maskScreenEvent } from './mask-screen.ts'
import { shownEvent } from './shown-event.ts'

/** What a link shows of a recording. Times are milliseconds since the epoch; null: from the beginning, to the end. */
export type LinkLimits = {
  start: number | null
  end: number | null
  shows: LinkShows
  masks: readonly LinkMask[]
}

/** Lines of blocks, in the order of the blocks; those of blocks that are not wanted only lead to the page's state. */
export type CutInput = {
  limits: LinkLimits
  blocks: readonly { lines: Uint8Array; isWanted: boolean }[]
  /** Whether to begin with the pages at the start of the range. */
  withStart: boolean
  /** When windows came into use before the start, besides the events in the lines. */
  uses: readonly WindowTime[]
}

type Line = {
  text: string
  isWanted: boolean
  window: string
  event: ReplayEvent
  /** The window that the event changes, as the masks need it. */
  masked: MaskedWindow
}

type MaskedWindow = {
  /** The masked nodes of the window's page; null if the page is unknown. */
  nodes: MaskedNodes | null
  isApp: boolean
}

/** A window of a browser or an app while its events are followed. */
type FollowedWindow = {
  meta: ReplayEvent | null
  address: ReplayEvent | null
  page: Page | null
  /** The screen of an app, whose recording has no pages. */
  screen: Screen | null
  nodes: MaskedNodes | null
}

const unknownWindow: MaskedWindow = { nodes: null, isApp: false }

/** Returns the JSON lines of a recording that a link shows. */
export function cutEvents({ limits: given, blocks, withStart, uses }: CutInput): string[] {
  const limits = { ...given, shows: shownWith(given) }
  const { start, end, masks } = limits
  const followsPages = masks.length > 0 || withStart
  const showsAll = limits.shows === 'all' && start === null && end === null
  const lines = blocks
    .flatMap((block) => readBlockLines(block, followsPages))
    .toSorted((one, other) => one.event.timestamp - other.event.timestamp)
  const opening = followsPages ? followPages(lines, limits) : new Map<string, FollowedWindow>()
  const first =
    withStart && start !== null
      ? openingLines(opening, windowAt(start, lines, uses), { ...limits, start })
      : []
  const rest = lines
    .filter(
      ({ isWanted, event: { timestamp } }) =>
        isWanted && timestamp > (start ?? -Infinity) && timestamp <= (end ?? Infinity),
    )
    .flatMap(({ text, window, event, masked }) => {
      const shown = shownWithin(event, limits)
      if (shown === event && masks.length === 0) return showsAll ? text : rewritten(text)
      const visible = shown && maskedEvent(shown, masked, masks)
      return visible ? JSON.stringify([window, visible]) : []
    })
  return [...first, ...rest]
}

/** Returns the JSON of a line's value: of a key that a sender repeated, only the last value, which the limits were applied to. */
function rewritten(line: string): string {
  return JSON.stringify(JSON.parse(line))
}

/** Returns an event without what the link does not show; an event within the range can report requests from before it. */
function shownWithin(event: ReplayEvent, { start, end, shows }: LinkLimits): ReplayEvent | null {
  const shown = shownEvent(event, shows)
  if (!shown || (start === null && end === null) || !isFromPlugin(shown, networkPlugin)) return shown
  const cut = requestsWithin(shown, { start: start ?? -Infinity, end: end ?? Infinity })
  return cut && { ...shown, data: cut.data as ReplayEvent['data'] }
}

function readBlockLines(block: CutInput['blocks'][number], isUnpacked: boolean): Line[] {
  const { isWanted } = block
  return Buffer.from(block.lines)
    .toString('utf8')
    .split('\n')
    .flatMap((text) => {
      const read = readSessionEvent(text)
      if (!read) return []
      const { window, type, timestamp } = read
      // Only full snapshots and mutations are packed, and only the code that follows pages reads these.
      const data = isUnpacked || type !== EventType.FullSnapshot ? unpackData(read) : {}
      return { text, isWanted, window, event: { type, timestamp, data }, masked: unknownWindow }
    })
}

/** Sets what the masks of each line need. Returns the windows as they are at the start of the range. */
function followPages(lines: readonly Line[], { start, masks }: LinkLimits): Map<string, FollowedWindow> {
  const windows = new Map<string, FollowedWindow>()
  let opening: Map<string, FollowedWindow> | null = null
  for (const line of lines) {
    const { window, event } = line
    if (start !== null && event.timestamp > start) opening ??= copyWindows(windows)
    // Without masks, only the pages at the start are needed.
    if (opening && masks.length === 0) break
    const state = windows.get(window) ?? { meta: null, address: null, page: null, screen: null, nodes: null }
    windows.set(window, state)
    followEvent(state, event, masks)
    line.masked = maskedWindow(state)
  }
  return opening ?? windows
}

function copyWindows(windows: ReadonlyMap<string, FollowedWindow>): Map<string, FollowedWindow> {
  return new Map(
    Array.from(windows, ([window, state]) => [
      window,
      { ...state, page: state.page && copyPage(state.page), screen: structuredClone(state.screen) },
    ]),
  )
}

function followEvent(state: FollowedWindow, event: ReplayEvent, masks: readonly LinkMask[]): void {
  if (pageAddress(event) !== '') state.address = event
  if (event.type === EventType.Meta) {
    // Another page follows; events before its snapshot must not be applied to the old page.
    if (event.data['href'] !== state.meta?.data['href']) state.page = state.nodes = null
    state.meta = event
  } else if (isWireframeSnapshot(event)) {
    state.screen = openScreen(event)
  } else if (state.screen) {
    applyToScreen(state.screen, event)
  } else if (event.type === EventType.FullSnapshot) {
    const size = state.meta && isSize(state.meta.data) ? state.meta.data : defaultSize
    const { width, height } = size
    const sized = { type: EventType.Meta, timestamp: event.timestamp, data: { href: '', width, height } }
    state.page = openPage(sized, event)
    state.nodes = masks.length > 0 ? new MaskedNodes(state.page, event.data['node'], masks) : null
  } else if (state.page) {
    applyEvent(state.page, event)
    state.nodes?.follow(event)
  }
}

/** Returns the window that the visitor used last at a time. */
function windowAt(time: number, lines: readonly Line[], uses: CutInput['uses']): string | undefined {
  const before = lines.filter(({ event }) => event.timestamp <= time)
  const active = before.filter(({ event }) => isActive(event))
  const all = [...uses, ...active.map(({ window, event }): WindowTime => [window, event.timestamp])]
  return all.toSorted(([, one], [, other]) => one - other).findLast(([, at]) => at <= time)?.[0]
}

/** Returns the events that show the pages of all windows at the start of the range; the window in use comes last. */
function openingLines(
  windows: ReadonlyMap<string, FollowedWindow>,
  shown: string | undefined,
  { start, shows, masks }: LinkLimits & { start: number },
): string[] {
  const names = [...windows.keys()].toSorted((one, other) => Number(one === shown) - Number(other === shown))
  return names.flatMap((window) => {
    const state = windows.get(window)
    if (!state) return []
    return eventsOpening(state, start).flatMap((event) => {
      const visible = shownEvent(event, shows)
      const masked = visible && maskedEvent(visible, maskedWindow(state), masks)
      return masked ? JSON.stringify([window, masked]) : []
    })
  })
}

/** Returns the events that show a window's page, with the addresses that resolve its references. */
function eventsOpening({ meta, address, page, screen }: FollowedWindow, start: number): ReplayEvent[] {
  if (screen) return [...(meta ? [{ ...meta, timestamp: start }] : []), ...eventsShowingScreen(screen, start)]
  if (!page) return []
  const [opened, ...others] = eventsShowing(page, start)
  if (!opened) return []
  const current = address && address !== meta ? [{ ...address, timestamp: start }] : []
  return [{ ...opened, data: { ...opened.data, href: meta?.data['href'] ?? '' } }, ...others, ...current]
}

function maskedWindow({ nodes, screen }: FollowedWindow): MaskedWindow {
  return { nodes, isApp: screen !== null }
}

/** Returns an event without masked parts; null if it concerns a page that is unknown, because then nothing can be masked. */
function maskedEvent(event: ReplayEvent, { nodes, isApp }: MaskedWindow, masks: readonly LinkMask[]) {
  if (masks.length === 0) return event
  const isOfPage = event.type === EventType.FullSnapshot || event.type === EventType.IncrementalSnapshot
  // Events that a later rrweb may record of a page cannot be masked.
  if (!isOfPage) return event.type <= EventType.Plugin ? maskAnimations(event) : null
  if (isApp) return maskScreenEvent(event, new Set(masks.map(({ kind }) => kind)))
  return nodes && maskEvent(event, nodes)
}
