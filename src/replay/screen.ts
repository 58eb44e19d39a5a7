import {
  EventType,
  IncrementalSource,
  isObject,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from './recorded/rrweb.ts'

/* PostHog's recorders for apps describe a screen by wireframes, and change it by the ids of these. */

/** An unvalidated object from a recorder. */
export type Wireframe = Record<string, unknown>
type View = {
  wireframe: Wireframe
  parent: View | null
  /** Number of views that contain this one, the root included. */
  depth: number
  children: Set<View>
}

/** The screen of an app at a time. */
export type Screen = {
  /** Contains the outermost views. */
  root: View
  views: Map<number, View>
  /** The newest picture of a recorder that sends screenshots. */
  screenshot: Wireframe | null
  /** Data of the newest event about the keyboard since the newest snapshot. */
  keyboard: ReplayEvent['data'] | null
}

/** Levels of nested views that are kept and drawn; documents are built and copied recursively. */
export const depthMax = 200
/** Above the ids of an app's views: 31 bits on Android, and addresses on iOS. */
export const viewIdMax = 2 ** 50

/** Returns the id of the node that shows a view; null unless `id` is the id of a view. */
export function viewId(id: unknown): number | null {
  if (typeof id !== 'number' || !Number.isFinite(id)) return null
  return Math.abs(Math.trunc(id)) % viewIdMax || null
}

/** Whether a full snapshot is an app's. */
export function isWireframeSnapshot({ type, data }: ReplayEvent): boolean {
  return type === EventType.FullSnapshot && Array.isArray(data['wireframes'])
}

/** Whether a mutation is an app's: recorders of apps omit its texts and attributes. */
export function isWireframeMutation(event: ReplayEvent): boolean {
  const { texts, attributes, adds } = event.data
  const isOfScreen =
    texts === undefined && attributes === undefined && objectsIn(adds).every(({ node }) => !node)
  return isOfScreen && sourceOf(event) === IncrementalSource.Mutation
}

export type WireframeChange = { wireframe: Wireframe; parentId: unknown }

/** Returns the outermost changes of a list: recorders list the children of a new view again after the view. */
export function outermost(changes: readonly WireframeChange[], all: readonly WireframeChange[]) {
  const inside = new Set(all.flatMap(({ wireframe }) => idsBelow(wireframe)))
  return changes.filter(({ wireframe }) => !inside.has(viewId(wireframe['id']) ?? -1))
}

/** Reads the updates or additions of a mutation. */
export function changesIn(list: unknown): WireframeChange[] {
  return objectsIn(list).flatMap(({ wireframe, parentId }) =>
    isObject(wireframe) ? [{ wireframe, parentId }] : [],
  )
}

/** Returns the screen that an app's full snapshot describes. */
export function openScreen({ data }: ReplayEvent): Screen {
  const root: View = { wireframe: {}, parent: null, depth: 0, children: new Set() }
  const screen: Screen = { root, views: new Map(), screenshot: null, keyboard: null }
  for (const wireframe of objectsIn(data['wireframes'])) {
    if (isScreenshot(wireframe)) screen.screenshot = wireframe
    else place(screen, root, wireframe)
  }
  return screen
}

/** Changes the screen as the player does. */
export function applyToScreen(screen: Screen, event: ReplayEvent): void {
  const { type, data } = event
  if (type === EventType.Custom && data['tag'] === 'keyboard') screen.keyboard = data
  if (!isWireframeMutation(event)) return
  for (const { id } of objectsIn(data['removes'])) remove(screen, screen.views.get(viewId(id) ?? -1))
  const updates = changesIn(data['updates'])
  const adds = changesIn(data['adds'])
  const all = [...updates, ...adds]
  screen.screenshot = all.findLast(({ wireframe }) => isScreenshot(wireframe))?.wireframe ?? screen.screenshot
  for (const { wireframe, parentId } of outermost(updates, all)) {
    const view = screen.views.get(viewId(wireframe['id']) ?? -1)
    if (!view || isScreenshot(wireframe)) continue
    const given = viewId(parentId) === null ? null : parentOf(screen, parentId)
    if (given && given !== view.parent && given.depth < depthMax && !isInside(given, view)) {
      view.parent?.children.delete(view)
      view.parent = given
      view.depth = given.depth + 1
      given.children.add(view)
    }
    replace(screen, view, wireframe)
  }
  for (const { wireframe, parentId } of outermost(adds, all)) {
    const parent = parentOf(screen, parentId)
    if (parent && !isScreenshot(wireframe)) place(screen, parent, wireframe)
  }
}

/** Returns the events that show a screen after another one, or none. */
export function eventsShowingScreen(
  { root, screenshot, keyboard }: Screen,
  timestamp: number,
): ReplayEvent[] {
  const views = [...root.children].map(wireframeOf)
  const data = { wireframes: screenshot ? [screenshot, ...views] : views, initialOffset: { left: 0, top: 0 } }
  return [
    { type: EventType.FullSnapshot, timestamp, data },
    ...(keyboard ? [{ type: EventType.Custom, timestamp, data: keyboard }] : []),
  ]
}

function wireframeOf({ wireframe, children }: View): Wireframe {
  if (children.size === 0) return wireframe
  return { ...wireframe, childWireframes: [...children].map(wireframeOf) }
}

/** Adds a view with those inside it, and removes them from where they were before; those nested too deeply are ignored. */
function place(screen: Screen, parent: View, wireframe: Wireframe): void {
  if (parent.depth >= depthMax) return
  const known = screen.views.get(viewId(wireframe['id']) ?? -1)
  if (known && !isInside(parent, known)) remove(screen, known)
  const view: View = { wireframe: {}, parent, depth: parent.depth + 1, children: new Set() }
  parent.children.add(view)
  const id = viewId(wireframe['id'])
  if (id !== null && !screen.views.has(id)) screen.views.set(id, view)
  replace(screen, view, wireframe)
}

function replace(screen: Screen, view: View, { childWireframes, ...wireframe }: Wireframe): void {
  for (const child of view.children) remove(screen, child)
  view.wireframe = wireframe
  for (const child of objectsIn(childWireframes)) place(screen, view, child)
}

function remove({ views }: Screen, view: View | undefined): void {
  view?.parent?.children.delete(view)
  const pending = view ? [view] : []
  for (let next = pending.pop(); next; next = pending.pop()) {
    const id = viewId(next.wireframe['id'])
    if (id !== null && views.get(id) === next) views.delete(id)
    pending.push(...next.children)
  }
}

/** Returns the view that contains a new one; undefined if that view is unknown. */
function parentOf({ root, views }: Screen, parentId: unknown): View | undefined {
  const id = viewId(parentId)
  return id === null ? root : views.get(id)
}

function isInside(view: View, other: View): boolean {
  for (let at: View | null = view; at; at = at.parent) if (at === other) return true
  return false
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

function isScreenshot({ type, base64 }: Wireframe): boolean {
  return type === 'screenshot' && typeof base64 === 'string' && base64 !== ''
}
