import {
  EventType,
  IncrementalSource,
  isObject,
  isSize,
  moveSources,
  mutation,
  objectsIn,
  sourceOf,
  type ReplayEvent,
  type Size,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import {
  changesIn,
  depthMax,
  isWireframeMutation,
  isWireframeSnapshot,
  outermost,
  viewId,
  type Wireframe,
  type WireframeChange,
} from '../../../replay/screen.ts'
import { additions, drawWireframes, viewsIn, type PlacedView } from './draw-wireframes.ts'
import { contentId, fixedIds, screenDocument, screenNode, viewOfContent } from './screen-document.ts'
import { imageOf, pixels, placeOf, styleOf } from './wireframe-style.ts'

/** Longest time (ms) for which snapshots change one document, which does not flicker, instead of building another. */
const sameDocumentMsMax = 10_000
/** Largest number of wireframes in a changed document: a change adds nodes one by one, which takes longer than a new document. */
const sameDocumentViewsMax = 500

type Screen = {
  /** Whether events contain wireframes, so that touches and the keyboard belong to an app's screen. */
  isMobile: boolean
  hasSize: boolean
  /** Time of the last document, in milliseconds since the epoch. */
  documentAt: number
  /** The parent of each view at `knownAt` (ms since the epoch): the node that contains it. */
  parents: Map<number, number>
  knownAt: number
}

function newScreen(): Screen {
  return { isMobile: false, hasSize: false, documentAt: -Infinity, parents: new Map(), knownAt: -Infinity }
}

/**
 * Returns a function that turns the events of PostHog's mobile recorders, which describe a screen by wireframes, into rrweb's:
 * a document that draws them, and its changes. It returns other events as they are. Events may arrive in any order: a change
 * depends on earlier ones only for a view that moved to another parent, and of those it uses the ones that arrived before it.
 */
export function createMobileScreen(): (event: WindowEvent) => ReplayEvent[] {
  const screens = new Map<string, Screen>()
  return ({ window, event }) => {
    const screen = screens.get(window) ?? newScreen()
    screens.set(window, screen)
    const { type, timestamp, data } = event
    if (type === EventType.Meta) Object.assign(screen, { hasSize: isSize(data), documentAt: -Infinity })
    if (isWireframeSnapshot(event)) return snapshot(screen, timestamp, objectsIn(data['wireframes']))
    if (isWireframeMutation(event)) {
      screen.isMobile = true
      return [change(screen, timestamp, data)]
    }
    if (!screen.isMobile) return [event]
    if (type === EventType.Custom && data['tag'] === 'keyboard')
      return [mutation(timestamp, { attributes: [keyboard(data['payload'])] })]
    return [onScreen(event)]
  }
}

function snapshot(screen: Screen, timestamp: number, wireframes: readonly Wireframe[]): ReplayEvent[] {
  const shot = wireframes.findLast(isScreenshot)
  const views = drawWireframes(wireframes.filter((wireframe) => !isScreenshot(wireframe)))
  const placed = viewsIn(views, fixedIds.screen)
  screen.isMobile = true
  if (timestamp >= screen.knownAt) {
    screen.parents.clear()
    screen.knownAt = timestamp
    for (const { id, parent } of placed) screen.parents.set(id, parent)
  }
  const isSoon = timestamp >= screen.documentAt && timestamp - screen.documentAt < sameDocumentMsMax
  if (isSoon && placed.length <= sameDocumentViewsMax) {
    const attributes = shot ? screenshotAttributes(shot) : { src: null, style: null }
    const changes = {
      attributes: [{ id: fixedIds.screenshot, attributes }, keyboard(null)],
      removes: [{ parentId: fixedIds.body, id: fixedIds.screen }],
      adds: additions(fixedIds.body, [screenNode(views)]),
    }
    return [mutation(timestamp, changes)]
  }
  screen.documentAt = timestamp
  const node = screenDocument(shot ? screenshotAttributes(shot) : {}, views)
  const data = { node, initialOffset: { left: 0, top: 0 } }
  const document = { type: EventType.FullSnapshot, timestamp, data }
  const size = screen.hasSize ? null : sizeOf(wireframes)
  // Recorders send the size once; its event may be lost or not yet read.
  return size ? [{ type: EventType.Meta, timestamp, data: { href: '', ...size } }, document] : [document]
}

/** An update changes a view in place and replaces its content, so that the view stays below those drawn over it. */
function change(screen: Screen, timestamp: number, data: Record<string, unknown>): ReplayEvent {
  const parents = timestamp >= screen.knownAt ? screen.parents : new Map<number, number>()
  screen.knownAt = Math.max(screen.knownAt, timestamp)
  const updates = changesIn(data['updates'])
  const added = changesIn(data['adds'])
  const all = [...updates, ...added]
  const attributes: object[] = all
    .filter(({ wireframe }) => isScreenshot(wireframe))
    .map(({ wireframe }) => ({ id: fixedIds.screenshot, attributes: screenshotAttributes(wireframe) }))
  const removes: object[] = objectsIn(data['removes']).map(({ id, parentId }) => {
    const view = viewId(id) ?? -1
    return { id: view, parentId: parents.get(view) ?? parentOf(parentId) }
  })
  const contents: object[] = []
  const adds: object[] = []
  /** Removes views from where they are; they are drawn elsewhere. */
  const takeFrom = (views: readonly PlacedView[]) => {
    for (const { id, parent } of views) {
      const known = parents.get(id)
      if (known !== undefined && known !== parent) removes.push({ id, parentId: known })
      parents.set(id, parent)
    }
  }
  for (const { wireframe, parentId } of outermost(updates, all).filter(isView)) {
    const id = viewId(wireframe['id']) ?? -1
    const known = parents.get(id)
    const parent = parentOf(parentId)
    const isMoved =
      known !== undefined && viewId(parentId) !== null && parent !== known && !isInside(parents, parent, id)
    const container = isMoved ? parent : (known ?? parent)
    const [view] = drawWireframes([wireframe], containersOf(parents, container).length)
    const [content] = view?.childNodes ?? []
    if (!view || !content) continue
    takeFrom(viewsIn([view], container))
    if (isMoved) adds.push(...additions(parent, [view]))
    else {
      attributes.push({ id: view.id, attributes: view.attributes })
      contents.push({ id: content.id, parentId: view.id })
      adds.push(...additions(view.id, [content]))
    }
  }
  for (const { wireframe, parentId } of outermost(added, all).filter(isView)) {
    const parent = parentOf(parentId)
    const views = drawWireframes([wireframe], containersOf(parents, parent).length)
    takeFrom(viewsIn(views, parent))
    adds.push(...additions(parent, views))
  }
  return mutation(timestamp, { attributes, removes: [...removes, ...contents], adds })
}

function parentOf(id: unknown): number {
  const view = viewId(id)
  return view === null ? fixedIds.screen : contentId(view)
}

/** Returns the nodes around a view that contain views, the given one first, as far as they are known; at most `depthMax`. */
function containersOf(parents: ReadonlyMap<number, number>, container: number): number[] {
  const containers: number[] = []
  for (let at: number | undefined = container; at !== undefined && at !== fixedIds.screen;) {
    if (containers.length === depthMax) break
    containers.push(at)
    at = parents.get(viewOfContent(at))
  }
  return containers
}

/** Whether a node that contains views belongs to a view or to one inside it; also true if the nesting is too deep. */
function isInside(parents: ReadonlyMap<number, number>, container: number, id: number): boolean {
  const containers = containersOf(parents, container)
  return containers.length === depthMax || containers.includes(contentId(id))
}

/** Returns the change that opens or closes the keyboard. Recorders send only its size. */
function keyboard(payload: unknown) {
  const { open, x, y, width, height } = isObject(payload) ? payload : {}
  const isPlaced = pixels(x) !== null || pixels(y) !== null
  const place = isPlaced ? '' : 'top: auto; bottom: 0'
  const style = `${placeOf({ x, y, width: width ?? '100vw', height })}; ${place}`
  return {
    id: fixedIds.keyboard,
    attributes: open === true ? { class: 'keyboard open', style } : { class: 'keyboard', style: null },
  }
}

/** Moves a touch from the finger's number, which the recorder sends as its target, to the screen. */
function onScreen(event: ReplayEvent): ReplayEvent {
  const { data } = event
  const source = sourceOf(event)
  if (source === IncrementalSource.MouseInteraction) return { ...event, data: { ...data, id: fixedIds.body } }
  if (!moveSources.has(source)) return event
  const positions = objectsIn(data['positions']).map((position) => ({ ...position, id: fixedIds.body }))
  return { ...event, data: { ...data, positions } }
}

function isView({ wireframe }: WireframeChange): boolean {
  return !isScreenshot(wireframe)
}

function isScreenshot({ type, base64 }: Wireframe): boolean {
  return type === 'screenshot' && imageOf(base64) !== null
}

function screenshotAttributes(wireframe: Wireframe) {
  return { src: imageOf(wireframe['base64']) ?? '', style: styleOf(wireframe) }
}

/** Returns the size of the largest outermost wireframe, which is the app's window. */
function sizeOf(wireframes: readonly Wireframe[]): Size | null {
  const sizes = wireframes
    .map(({ width, height }) => ({ width: pixels(width), height: pixels(height) }))
    .filter(isSize)
  return sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)[0] ?? null
}
