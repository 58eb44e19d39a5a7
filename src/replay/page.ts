import {
  IncrementalSource,
  MouseInteractions,
  isObject,
  moveSources,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from './recorded/rrweb.ts'
import { readState, stateEvent, stateTag } from './recorded/page-state.ts'
import { applyMutation } from './page-mutation.ts'
import { mediaAfter, recordedMedia } from './media-state.ts'
import { PageNodes, type LaterKind, type PageNode } from './page-nodes.ts'
import { addTree, attributesOf, idOf, setLater, type Page } from './page-tree.ts'

/** Sources of which only a node's latest event matters. */
const laterKinds = new Map<unknown, LaterKind>([
  [IncrementalSource.Input, 'input'],
  [IncrementalSource.CanvasMutation, 'canvas'],
  [IncrementalSource.Scroll, 'scroll'],
])
const { Focus, Blur, TouchStart, TouchEnd, TouchCancel } = MouseInteractions
const interactionKinds = new Map<unknown, 'focus' | 'touch'>([
  ...[Focus, Blur].map((type) => [type, 'focus'] as const),
  ...[TouchStart, TouchEnd, TouchCancel].map((type) => [type, 'touch'] as const),
])

/**
 * Returns the page that a full snapshot shows; `sized` is the event with the window's size. The page shares equal nodes with
 * `earlier`, a page of the same window.
 */
export function openPage(sized: ReplayEvent, snapshot: ReplayEvent, earlier?: Page): Page {
  const { node, initialOffset } = snapshot.data
  const tree = isObject(node) ? node : {}
  const nodes = new Map<number, PageNode>()
  addTree(nodes, tree, null)
  const page: Page = {
    root: idOf(tree),
    nodes: PageNodes.ofSnapshot(nodes, earlier?.nodes),
    initialOffset,
    sheets: [],
    latest: new Map([['size', sized]]),
  }
  for (const [id, node] of nodes) {
    const media = recordedMedia(id, attributesOf(node), snapshot.timestamp)
    if (media) setLater(page, id, 'media', [media])
  }
  return page
}

/** Returns a copy that can be changed on its own. */
export function copyPage(page: Page): Page {
  return { ...page, nodes: page.nodes.copy(), sheets: [...page.sheets], latest: new Map(page.latest) }
}

/** Applies an event that follows the full snapshot. As in rrweb, parts that refer to unknown nodes have no effect. */
export function applyEvent(page: Page, event: ReplayEvent): void {
  const { data } = event
  const id = typeof data['id'] === 'number' ? data['id'] : -1
  const source = sourceOf(event)
  const kind = laterKinds.get(source)
  if (kind) return setLater(page, id, kind, [event])
  const { latest, nodes } = page
  const tag = stateTag(event)
  // Read now, because animations go on from the time of their event.
  if (tag) latest.set(tag, stateEvent(event.timestamp, readState(event) ?? { tag, payload: null }))
  if (tag === 'spool/top-layer') latest.delete('spool/popover-clicks')
  switch (source) {
    case IncrementalSource.Mutation:
      applyMutation(page, event)
      break
    case IncrementalSource.MediaInteraction:
      setLater(page, id, 'media', [mediaAfter(nodes.get(id)?.later.media?.[0], event)])
      break
    case IncrementalSource.StyleSheetRule:
    case IncrementalSource.StyleDeclaration:
      if (data['styleId']) page.sheets.push(event)
      else setLater(page, id, 'rules', [...(nodes.get(id)?.later.rules ?? []), event])
      break
    case IncrementalSource.AdoptedStyleSheet:
    case IncrementalSource.Font:
      page.sheets.push(event)
      break
    case IncrementalSource.ViewportResize:
      latest.set('size', event)
      break
    case IncrementalSource.Selection:
      latest.set('selection', event)
      break
    case IncrementalSource.MouseInteraction:
      latest.set(interactionKinds.get(data['type']) ?? 'pointer', event)
      if (data['type'] === MouseInteractions.Click) rememberPopoverClick(page, id, event.timestamp)
      break
    default:
      if (moveSources.has(source)) latest.set('pointer', atLastPosition(event))
  }
}

/** Longest distance from what is clicked to the button that contains it. */
const buttonDepthMax = 10
const popoverClicksMax = 50

/** Remembers clicks from the first on that opens a popover, if the recorder does not report which popovers are open. */
function rememberPopoverClick({ latest, nodes }: Page, id: number, timestamp: number): void {
  const tag = 'spool/popover-clicks'
  const event = latest.get(tag)
  const state = event && readState(event)
  const before = state?.tag === tag && state.payload ? state.payload.ids : []
  const opensPopover = nodes
    .upwards(id)
    .take(buttonDepthMax)
    .some((node) => 'popovertarget' in attributesOf(node))
  if (latest.has('spool/top-layer') || (before.length === 0 && !opensPopover)) return
  const ids = [...before, id].slice(-popoverClicksMax)
  latest.set(tag, stateEvent(timestamp, { tag, payload: { ids } }))
}

/** Returns a pointer move with only its last position, which a seek shows. */
function atLastPosition(event: ReplayEvent): ReplayEvent {
  const last = objectsIn(event.data['positions']).at(-1)
  return { ...event, data: { ...event.data, positions: last ? [{ ...last, timeOffset: 0 }] : [] } }
}
