import {
  EventType,
  IncrementalSource,
  nodesIn,
  objectsIn,
  sourceOf,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import type { Block } from '../player/block-order.ts'
import type { Gap, GapKind, KnownRecording, TimeRange } from '../player/player-messages.ts'

/** Shortest gap (ms) that is reported: a recorder can take a second to serialise a large page. */
const gapMsMin = 1_000
/** Longest time (ms) between an action of the visitor and the recorded events that show it. */
const actionMsMax = 2_000

/** All events of a recording, in chronological order, and the times of the stored blocks (`end` excluded). */
type AllEvents = Pick<KnownRecording, 'start' | 'end' | 'actions'> & {
  events: readonly WindowEvent[]
  blocks: readonly Pick<Block, 'start' | 'end'>[]
}

type WindowState = {
  /** Number of the window, from 1. */
  number: number
  /** Ids of the nodes since the last full snapshot; null while the page is unknown. */
  nodes: Set<number> | null
  address: unknown
  lacking: { since: number; kind: GapKind } | null
}

/**
 * Returns the gaps in a recording, in chronological order. A gap of a window starts when
 * - the window has events before its first full snapshot,
 * - it opens another page whose full snapshot is missing,
 * - it changes a node that was never recorded, so that earlier changes must be missing, or
 * - its recorder pauses,
 * and ends with the window's next full snapshot, or with the recording. `silencesIn` and
 * `lostBlocks` find the other gaps.
 */
export function gapsIn({ events, start, end, actions, blocks }: AllEvents): Gap[] {
  const gaps: Gap[] = []
  const windows = new Map<string, WindowState>()
  let firstPicture: number | null = null
  const close = (state: WindowState, to: number) => {
    const { lacking, number } = state
    state.lacking = null
    const isFirst = firstPicture === null || to <= firstPicture
    if (lacking && !isFirst && to - lacking.since >= gapMsMin)
      gaps.push({ kind: lacking.kind, window: number, from: lacking.since - start, to: to - start })
  }
  for (const { window, event } of events) {
    const state = windows.get(window) ?? {
      number: windows.size + 1,
      nodes: null,
      address: undefined,
      lacking: null,
    }
    windows.set(window, state)
    if (event.type === EventType.FullSnapshot) {
      firstPicture ??= event.timestamp
      close(state, event.timestamp)
      state.nodes = new Set(idsIn(event.data['node']))
      continue
    }
    const lacking = lackSince(event, state)
    // A gap ends where the visitor opens another page.
    if (!lacking || (state.lacking && lacking.kind !== 'page')) continue
    close(state, lacking.since)
    state.lacking = lacking
  }
  for (const state of windows.values()) close(state, end)
  const first = { window: 0, from: 0 }
  if (firstPicture === null) return [{ ...first, kind: 'picture', to: end - start }]
  if (firstPicture - start >= gapMsMin) gaps.push({ ...first, kind: 'beginning', to: firstPicture - start })
  const addOthers = (kind: GapKind, times: readonly TimeRange[]) => {
    const others = times.map(({ from, to }) => ({ kind, window: 0, from: from - start, to: to - start }))
    gaps.push(...others.filter(({ from, to }) => !gaps.some((gap) => gap.from < to && gap.to > from)))
  }
  addOthers('data', lostBlocks(events, blocks))
  addOthers('silence', silencesIn(events, actions))
  return gaps.toSorted((one, other) => one.from - other.from)
}

/** Returns the times of blocks whose first and last event could not be read. */
function lostBlocks(events: readonly WindowEvent[], blocks: AllEvents['blocks']): TimeRange[] {
  const times = new Set(events.map(({ event }) => Math.floor(event.timestamp)))
  return blocks
    .filter(({ start, end }) => end - start >= gapMsMin && !times.has(start) && !times.has(end - 1))
    .map(({ start, end }) => ({ from: start, to: end }))
}

/**
 * Returns the periods in which the visitor acted but nothing was recorded. Returns none if this holds for most actions: then
 * the clocks of the events and the recording differ.
 */
function silencesIn(events: readonly WindowEvent[], actions: readonly number[]): TimeRange[] {
  const silences = new Map<number, TimeRange>()
  let [next, silent, all] = [0, 0, 0]
  for (const action of actions) {
    while ((events[next]?.event.timestamp ?? Infinity) <= action) next += 1
    const from = events[next - 1]?.event.timestamp
    const to = events[next]?.event.timestamp
    if (from === undefined || to === undefined) continue
    all += 1
    if (action - from <= actionMsMax || to - action <= actionMsMax) continue
    silent += 1
    silences.set(from, { from, to })
  }
  return silent * 2 > all ? [] : [...silences.values()]
}

/** Updates a window's state, and returns what the recording lacks from this event on; null if it lacks nothing. */
function lackSince(event: ReplayEvent, state: WindowState): WindowState['lacking'] {
  const { type, timestamp: since, data } = event
  if (type === EventType.Meta) {
    const isOther = data['href'] !== state.address
    state.address = data['href']
    if (!isOther || !state.nodes) return null
    state.nodes = null
    return { since, kind: 'page' }
  }
  if (type === EventType.Custom && data['tag'] === 'recording paused') return { since, kind: 'paused' }
  if (type !== EventType.IncrementalSnapshot) return null
  if (!state.nodes) return { since, kind: 'window' }
  return refersToUnknown(event, state.nodes) ? { since, kind: 'changes' } : null
}

/** Adds a mutation's nodes to the known nodes; returns whether the mutation changes a node that was never recorded. */
function refersToUnknown(event: ReplayEvent, known: Set<number>): boolean {
  if (sourceOf(event) !== IncrementalSource.Mutation) return false
  const { adds, removes, texts, attributes } = event.data
  const added = objectsIn(adds)
  for (const { node } of added) for (const id of idsIn(node)) known.add(id)
  const changed = [...objectsIn(removes), ...objectsIn(texts), ...objectsIn(attributes)].map(({ id }) => id)
  return [...added.map(({ parentId }) => parentId), ...changed].some(
    (id) => typeof id === 'number' && id > 0 && !known.has(id),
  )
}

function* idsIn(root: unknown): Generator<number> {
  for (const { id } of nodesIn(root)) if (typeof id === 'number') yield id
}
