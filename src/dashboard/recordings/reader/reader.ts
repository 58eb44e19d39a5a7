/* The worker that reads a recording, so that the frame stays responsive: it keeps all events, and computes the page at any time. */
import { isMaskedText, type ReplayEvent, type WindowEvent } from '../../../replay/recorded/rrweb.ts'
import { isPage, type Block, type BlockRange } from '../player/block-order.ts'
import { handle, type Handlers } from '../player/handlers.ts'
import type { KnownRecording, LackingState, Mark, Outline, TimeRange } from '../player/player-messages.ts'
import { isLargeScreen } from '../mobile/large-screen.ts'
import { createMobileScreen } from '../mobile/mobile-screen.ts'
import { gapsIn } from './gaps.ts'
import { createKeyframes, indexOfTime } from '../../../replay/keyframes.ts'
import { incompleteRules } from './incomplete-rules.ts'
import { createMarkFinder } from './marks.ts'
import { createNeutralizer } from './neutralize.ts'
import { unrecordedCanvases } from './canvas-pictures.ts'
import { activityOf, lackingStates, lanesOf } from './outline.ts'
import { applyEvent } from '../../../replay/page.ts'
import { eventsBetween, eventsShowing } from '../../../replay/page-changes.ts'
import { partsOf } from '../../../replay/page-parts.ts'
import type { Page } from '../../../replay/page-tree.ts'
import { contrastBefore, type Contrast } from '../../../replay/recorded/page-state.ts'
import { createPlaceholders } from './placeholders.ts'
import { markPointerFocus } from '../../../replay/pointer-focus.ts'
import { readLines } from './read-lines.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import { createSequence } from './sequence.ts'
import { cutAt, cutScenes, type SceneCut } from '../../../replay/scenes.ts'

const drawScreen = createMobileScreen()
const placeholders = createPlaceholders()
/** The states on which the pages depend. */
const uses = new Set<LackingState>()
const neutralize = createNeutralizer(placeholders, uses)
const { pageAt } = createKeyframes()
const readBlocks = new Set<number>()

let findMarks = createMarkFinder()
let areMarksInOrder = true
const recording: KnownRecording = { start: 0, end: 0, blocks: [], actions: [], pinned: null }
let events: WindowEvent[] = []
/** Events of stored pages by number, used until all blocks are read. They do not count as activity. */
const storedPages = new Map<number, WindowEvent[]>()
let cuts: readonly SceneCut[] = []
let unreadable = 0
/** Number of canvases that were not recorded; 0 until all events have been read. */
let canvases = 0
const drawnCanvases = new Set<string>()
/** What takes long to find, so only once all events have been read. */
let lacking: Pick<Outline, 'lackingStates' | 'incompleteRules'> = { lackingStates: [], incompleteRules: 0 }
/** Reads one message at a time, in the order of arrival. */
const inOrder = createSequence(reportError)
/** Answers requests one at a time, in order: painting a large screen takes time. */
const answers = createSequence(reportError)

/** Requests for a page that have arrived and are not answered yet. */
let waiting = 0

/** The page that the frame showed when it last asked, and the events sent since, which the frame may have applied. */
let shown: {
  page: Page
  contrast: Contrast
  sent: ReplayEvent[]
  window: string
  from: number
  until: number
} | null = null

const handlers: Handlers<ToReader> = {
  recording(message) {
    Object.assign(recording, message.recording)
    const { blocks } = message.recording
    // A page is not listed any more once a block has arrived that belongs before it.
    for (const page of storedPages.keys())
      if (blocks && !blocks.some(({ number }) => number === page)) storedPages.delete(page)
    recording.blocks = recording.blocks.filter(({ number }) => !isPage(number))
    publish()
  },
  lines: ({ bytes, range }) => void inOrder(() => read(bytes, range)),
  show({ time, applied, aheadMs }) {
    waiting += 1
    void answers(() => sendPage(time, applied, aheadMs))
  },
  preview: ({ time }) =>
    void answers(async () => send({ kind: 'preview', time, events: await previewAt(time) })),
  more: ({ applied, aheadMs }) =>
    void answers(async () => {
      dropApplied(applied)
      send({ kind: 'more', ...(await sendAhead(aheadMs)) })
    }),
}

addEventListener('message', ({ data }: MessageEvent<ToReader>) => handle(handlers, data))

async function read(bytes: ArrayBuffer, range: BlockRange): Promise<void> {
  const lines = await readLines(new Uint8Array(bytes), neutralize, drawScreen).catch((error) => {
    reportError(error)
    return { events: [], unreadable: 1 }
  })
  if (isPage(range.from)) {
    storedPages.set(range.from, lines.events)
    readBlocks.add(range.from)
    return publish()
  }
  const added = lines.events.toSorted(byTime)
  markPointerFocus(added)
  const isLater = (events.at(-1)?.event.timestamp ?? 0) <= (added[0]?.event.timestamp ?? Infinity)
  events = isLater ? [...events, ...added] : [...events, ...added].toSorted(byTime)
  areMarksInOrder &&= isLater
  unreadable += lines.unreadable
  for (let number = range.from; number <= range.to; number += 1) readBlocks.add(number)
  const isAllMarks = isAll() && !areMarksInOrder
  if (isAllMarks) {
    findMarks = createMarkFinder()
    areMarksInOrder = true
  }
  if (isAll())
    lacking = { lackingStates: lackingStates(events, uses), incompleteRules: incompleteRules(events) }
  publish(marksOf(isAllMarks ? events : added), isAllMarks)
  if (!isAll()) return
  await makeKeyframes()
  await countCanvases()
}

/** Reports how many canvases were not recorded; pictures are decoded in the background. */
async function countCanvases(): Promise<void> {
  const count = await unrecordedCanvases(events, drawnCanvases).catch(() => canvases)
  if (count === canvases) return
  canvases = count
  publish()
}

function isAll(): boolean {
  const { blocks } = recording
  return blocks.length > 0 && blocks.every(({ number }) => readBlocks.has(number))
}

/** Reports everything read so far, with the new marks. */
function publish(marks: readonly Mark[] = [], isAllMarks = false): void {
  const last = events.at(-1)?.event.timestamp ?? 0
  recording.end = isAll() && last > 0 ? last : Math.max(recording.end, last)
  const { start, end, pinned } = recording
  if (isAll()) storedPages.clear()
  const windows = [...new Set(events.map(({ window }) => window))]
  const shownEvents =
    storedPages.size > 0 ? [...storedPages.values(), events].flat().toSorted(byTime) : events
  const followed = cutScenes(shownEvents, start)
  const only = pinned === null ? undefined : windows[pinned - 1]
  const ofPinned = shownEvents.filter(({ window }) => window === only)
  cuts = pinned === null ? followed : cutScenes(ofPinned, start)
  const { activity, idle } = activityOf(events, recording)
  const outline = {
    activity,
    idle: idle.filter(isRead),
    gaps: isAll() ? gapsIn({ ...recording, events }) : [],
    unrecordedCanvases: canvases,
    ...lacking,
    isMasked: events.some(({ event }) => isMaskedText(event)),
    end: end - start,
    lanes: lanesOf(events, followed, recording),
  }
  const pages = cuts.map(({ at, scene }) => ({
    at,
    page: scene && { window: scene.window, start: scene.start },
  }))
  const read = { start, end, cuts: pages, outline, windows, blocks: readBlocks, isAll: isAll() }
  send({ kind: 'read', read, marks, isAllMarks, unreadable, assets: placeholders.takeFound() })
}

/** Whether a period, in milliseconds since the start, lies in the part that has been read. */
function isRead(period: TimeRange): boolean {
  const { start, end, blocks } = recording
  const [from, to] = [period.from + start, period.to + start]
  const isKnown = isAll() || blocks.length === 0 || to < end
  return isKnown && !unreadBlocks().some((block) => block.start < to && block.end > from)
}

function unreadBlocks(): Block[] {
  return recording.blocks.filter(({ number }) => !readBlocks.has(number))
}

function marksOf(of: readonly WindowEvent[]): Mark[] {
  return of.flatMap(findMarks).map(({ time, ...mark }) => ({ ...mark, at: time - recording.start }))
}

/** Answers a request for a page; the answer lacks a page that cannot be computed or sent, such as one too deep to copy. */
async function sendPage(time: number, applied: number, aheadMs: number): Promise<void> {
  waiting -= 1
  try {
    send(await showPage(time, applied, aheadMs))
  } catch (error) {
    shown = null
    send(noPage(time))
    reportError(error)
  }
}

function noPage(time: number): FromReader {
  return { kind: 'page', time, contrast: 'no-preference', events: [], next: [], until: Infinity }
}

/** Returns the events that turn the page that the frame shows into the page at a time. */
async function showPage(time: number, applied: number, aheadMs: number): Promise<FromReader> {
  const scene = cutAt(cuts, time)?.scene
  // rrweb times can have a fraction of a millisecond.
  const before = time + 1
  const recorded = scene && pageAt(scene, before)
  if (!scene || !recorded) return noPage(time)
  const page = await asShown(recorded)
  const contrast = contrastBefore(scene.events, before)
  dropApplied(applied)
  // The style sheets of a page show the contrast with which they were added.
  const changes = shown?.contrast === contrast ? eventsBetween(shown.page, page, time) : null
  // Only the first page is sent in parts: during a later seek, the frame would be empty between them.
  const parts = shown ? [changes ?? eventsShowing(page, time)] : partsOf(eventsShowing(page, time))
  for (const events of parts.slice(0, -1)) send({ kind: 'part', time, contrast, events })
  shown = { page, contrast, sent: [], window: scene.window, from: scene.start, until: before }
  // Pictures of later screens are drawn once this one is shown.
  const ahead = await sendAhead(page === recorded ? aheadMs : 0)
  return { kind: 'page', time, contrast, events: parts.at(-1) ?? [], ...ahead }
}

/** Applies the sent events that are earlier than `applied` to the shown page, and forgets them: pictures are large. */
function dropApplied(applied: number): void {
  if (!shown) return
  const isApplied = ({ timestamp }: ReplayEvent) => timestamp < applied
  for (const event of shown.sent.filter(isApplied)) applyEvent(shown.page, event)
  shown.sent = shown.sent.filter((event) => !isApplied(event))
}

/** Returns a page as the frame shows it: a large screen of an app as a picture. */
async function asShown(page: Page): Promise<Page> {
  if (!isLargeScreen(page)) return page
  const { pictured } = await loadPictures()
  return await pictured(page)
}

/** Loads code that few recordings need. */
function loadPictures() {
  return import('../mobile/screen-picture.ts')
}

/** Returns the events that show the page at a time in any document; none if there is no such page or it cannot be computed. */
async function previewAt(time: number): Promise<ReplayEvent[]> {
  try {
    const scene = cutAt(cuts, time)?.scene
    const page = scene && pageAt(scene, time + 1)
    return page ? eventsShowing(await asShown(page), time) : []
  } catch (error) {
    reportError(error)
    return []
  }
}

/**
 * Returns the next events of the page that the frame shows, up to the first part that has not been read; none if another page
 * is requested while pictures are painted.
 */
async function sendAhead(aheadMs: number): Promise<{ next: ReplayEvent[]; until: number }> {
  if (!shown) return { next: [], until: Infinity }
  const { page, sent, window, from, until } = shown
  const scene = cuts.find(({ scene }) => scene?.window === window && scene.start === from)?.scene
  const unread = unreadBlocks().filter(({ end }) => end >= until)
  const to = Math.max(until, Math.min(until + aheadMs, ...unread.map(({ start }) => start)))
  const all = scene?.events ?? []
  const recorded = all.slice(indexOfTime(all, until), indexOfTime(all, to))
  const before = scene && isLargeScreen(page, [...sent, ...recorded]) && pageAt(scene, until)
  const next = before
    ? await (await loadPictures()).picturedEvents(before, shown, recorded, () => waiting > 0)
    : recorded
  if (!next) return { next: [], until }
  shown = { ...shown, sent: [...sent, ...next], until: to }
  return { next, until: to }
}

/** Computes the keyframes of all scenes, one scene at a time, so that requests are answered in between. */
async function makeKeyframes(): Promise<void> {
  for (const scene of new Set(cuts.map((cut) => cut.scene))) {
    if (scene) pageAt(scene, Infinity)
    await new Promise((done) => {
      setTimeout(done)
    })
  }
}

function byTime(one: WindowEvent, other: WindowEvent): number {
  return one.event.timestamp - other.event.timestamp
}

function send(message: FromReader): void {
  postMessage(message)
}
