import {
  IncrementalSource,
  MouseInteractions,
  isObject,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from './recorded/rrweb.ts'
import { applyMutation } from './page-mutation.ts'
import { mediaAfter, recordedMedia } from './media-state.ts'
import { PageNodes, type PageNode } from './page-nodes.ts'
import { addTree, attributesOf, idOf, setLater, type Page } from './page-tree.ts'

const focusInteractions: ReadonlySet<unknown> = new Set([MouseInteractions.Focus, MouseInteractions.Blur])
const touchInteractions: ReadonlySet<unknown> = new Set([
  MouseInteractions.TouchStart,
  MouseInteractions.TouchEnd,
  MouseInteractions.TouchCancel,
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
  return { ...page, nodes: page.nodes.copy(), latest: new Map(page.latest) }
}

/** Applies an event that follows the full snapshot. As in rrweb, parts that refer to unknown nodes have no effect. */
export function applyEvent(page: Page, event: ReplayEvent): void {
  const { data } = event
  const id = typeof data['id'] === 'number' ? data['id'] : -1
  switch (sourceOf(event)) {
    case IncrementalSource.Mutation:
      applyMutation(page, event)
      break
    case IncrementalSource.Input:
      setLater(page, id, 'input', [event])
      break
    case IncrementalSource.MediaInteraction:
      setLater(page, id, 'media', [mediaAfter(page.nodes.get(id)?.later.media?.[0], event)])
      break
    case IncrementalSource.CanvasMutation:
      setLater(page, id, 'canvas', [event])
      break
    case IncrementalSource.Scroll:
      setLater(page, id, 'scroll', [event])
      break
    case IncrementalSource.StyleSheetRule:
    case IncrementalSource.StyleDeclaration:
      if (data['styleId']) page.sheets = [...page.sheets, event]
      else setLater(page, id, 'rules', [...(page.nodes.get(id)?.later.rules ?? []), event])
      break
    case IncrementalSource.AdoptedStyleSheet:
    case IncrementalSource.Font:
      page.sheets = [...page.sheets, event]
      break
    case IncrementalSource.ViewportResize:
      page.latest.set('size', event)
      break
    case IncrementalSource.Selection:
      page.latest.set('selection', event)
      break
    case IncrementalSource.MouseMove:
    case IncrementalSource.TouchMove:
    case IncrementalSource.Drag:
      page.latest.set('pointer', atLastPosition(event))
      break
    case IncrementalSource.MouseInteraction:
      if (focusInteractions.has(data['type'])) page.latest.set('focus', event)
      else page.latest.set(touchInteractions.has(data['type']) ? 'touch' : 'pointer', event)
      break
    default:
  }
}

/** Returns a pointer move with only its last position, which a seek shows. */
function atLastPosition(event: ReplayEvent): ReplayEvent {
  const last = objectsIn(event.data['positions']).at(-1)
  return { ...event, data: { ...event.data, positions: last ? [{ ...last, timeOffset: 0 }] : [] } }
}
