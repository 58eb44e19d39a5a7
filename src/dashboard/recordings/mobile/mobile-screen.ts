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
} from '../../../contract/rrweb.ts'
import { additions, drawWireframes } from './draw-wireframes.ts'
import { contentId, fixedIds, screenDocument, screenNode, viewId } from './screen-document.ts'
import { imageOf, pixels, placeOf, styleOf, type Wireframe } from './wireframe-style.ts'

/** Longest time (ms) for which snapshots change one document, which does not flicker, instead of building another. */
const sameDocumentMsMax = 10_000

type Screen = {
  /** Whether events contain wireframes, so that touches and the keyboard belong to an app's screen. */
  isMobile: boolean
  hasSize: boolean
  /** Time of the last document, in milliseconds since the epoch. */
  documentAt: number
}

/**
 * Returns a function that turns the events of PostHog's mobile recorders, which describe a screen by wireframes, into rrweb's:
 * a document that draws them, and its changes. It returns other events as they are. Events may arrive in any order, because
 * no change depends on an earlier one.
 */
export function createMobileScreen(): (event: WindowEvent) => ReplayEvent[] {
  const screens = new Map<string, Screen>()
  return ({ window, event }) => {
    const screen = screens.get(window) ?? { isMobile: false, hasSize: false, documentAt: -Infinity }
    screens.set(window, screen)
    const { type, timestamp, data } = event
    if (type === EventType.Meta) Object.assign(screen, { hasSize: isSize(data), documentAt: -Infinity })
    if (type === EventType.FullSnapshot && Array.isArray(data['wireframes']))
      return snapshot(screen, timestamp, objectsIn(data['wireframes']))
    if (isWireframeMutation(event)) {
      screen.isMobile = true
      return [change(timestamp, data)]
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
  screen.isMobile = true
  if (timestamp >= screen.documentAt && timestamp - screen.documentAt < sameDocumentMsMax) {
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

/** Whether a mutation is an app's: recorders of apps omit its texts and attributes. */
function isWireframeMutation(event: ReplayEvent): boolean {
  const { texts, attributes, adds } = event.data
  const isOfScreen =
    texts === undefined && attributes === undefined && objectsIn(adds).every(({ node }) => !node)
  return isOfScreen && sourceOf(event) === IncrementalSource.Mutation
}

/** An update changes a view in place and replaces its content, so that the view stays below those drawn over it. */
function change(timestamp: number, data: Record<string, unknown>): ReplayEvent {
  const updates = withWireframe(data['updates'])
  const added = withWireframe(data['adds'])
  const all = [...updates, ...added]
  // Recorders list the children of a new view again after the view that contains them.
  const inside = new Set(all.flatMap(({ wireframe }) => idsBelow(wireframe)))
  const isOutermost = ({ wireframe }: Change) =>
    !inside.has(viewId(wireframe['id']) ?? -1) && !isScreenshot(wireframe)
  const attributes: object[] = all
    .filter(({ wireframe }) => isScreenshot(wireframe))
    .map(({ wireframe }) => ({ id: fixedIds.screenshot, attributes: screenshotAttributes(wireframe) }))
  const removes: object[] = objectsIn(data['removes']).map(({ id, parentId }) => ({
    id: viewId(id) ?? -1,
    parentId: parentOf(parentId),
  }))
  const adds: object[] = []
  for (const { wireframe } of updates.filter(isOutermost)) {
    const [view] = drawWireframes([wireframe])
    const [content] = view?.childNodes ?? []
    if (!view || !content) continue
    attributes.push({ id: view.id, attributes: view.attributes })
    removes.push({ id: content.id, parentId: view.id })
    adds.push(...additions(view.id, [content]))
  }
  for (const { wireframe, parentId } of added.filter(isOutermost))
    adds.push(...additions(parentOf(parentId), drawWireframes([wireframe])))
  return mutation(timestamp, { attributes, removes, adds })
}

type Change = { wireframe: Wireframe; parentId: unknown }

function withWireframe(list: unknown): Change[] {
  return objectsIn(list).flatMap(({ wireframe, parentId }) =>
    isObject(wireframe) ? [{ wireframe, parentId }] : [],
  )
}

function idsBelow(wireframe: Wireframe): number[] {
  const ids: number[] = []
  const pending = objectsIn(wireframe['childWireframes'])
  for (let next = pending.pop(); next; next = pending.pop()) {
    ids.push(viewId(next['id']) ?? 0)
    pending.push(...objectsIn(next['childWireframes']))
  }
  return ids
}

function parentOf(id: unknown): number {
  const view = viewId(id)
  return view === null ? fixedIds.screen : contentId(view)
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
