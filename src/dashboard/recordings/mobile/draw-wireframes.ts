import { objectsIn } from '../../../replay/recorded/rrweb.ts'
import { depthMax, viewId, type Wireframe } from '../../../replay/screen.ts'
import { contentId, element, newId, type ElementNode, type ScreenNode } from './screen-document.ts'
import { contentOf } from './wireframe-content.ts'
import { styleOf } from './wireframe-style.ts'

/** Wireframes drawn per event; a forged recording must not exhaust the viewer's memory. */
const wireframesMax = 50_000

/**
 * Returns a node for each wireframe, with its children inside; `depth` views contain the wireframes. The coordinates of children
 * are relative to the screen, too.
 */
export function drawWireframes(wireframes: readonly Wireframe[], depth = 0): ElementNode[] {
  const ids = new Set<number>()
  const drawAll = (list: readonly Wireframe[], depth: number): ElementNode[] =>
    depth >= depthMax
      ? []
      : list.flatMap((wireframe) => (ids.size < wireframesMax ? draw(wireframe, depth) : []))
  const draw = (wireframe: Wireframe, depth: number): ElementNode => {
    const given = viewId(wireframe['id'])
    const id = given === null || ids.has(given) ? newId() : given
    ids.add(id)
    const content = contentOf(wireframe)
    const children = drawAll(objectsIn(wireframe['childWireframes']), depth + 1)
    const inside = element('div', {}, [...content.nodes, ...children], contentId(id))
    return element('div', attributesOf(wireframe, content.look), [inside], id)
  }
  return drawAll(wireframes, depth)
}

function attributesOf(wireframe: Wireframe, look: string) {
  const isOff = wireframe['disabled'] === true
  return { class: `view ${look}${isOff ? ' off' : ''}`, style: styleOf(wireframe) }
}

/** A view with the id of the node that contains it. */
export type PlacedView = { id: number; parent: number }

/** Lists drawn views and those inside them; `parent` contains the outermost. */
export function viewsIn(drawn: readonly ScreenNode[], parent: number): PlacedView[] {
  const views: PlacedView[] = []
  const pending = [{ nodes: drawn, parent }]
  for (let next = pending.pop(); next; next = pending.pop())
    for (const node of next.nodes) {
      // A view's own content has no `div`.
      if (!('tagName' in node) || node.tagName !== 'div') continue
      views.push({ id: node.id, parent: next.parent })
      const [content] = node.childNodes
      if (content && 'childNodes' in content) pending.push({ nodes: content.childNodes, parent: content.id })
    }
  return views
}

type Add = { parentId: number; nextId: null; node: ScreenNode }

/** Returns the additions of nodes to a parent; rrweb adds each node of a tree by itself. */
export function additions(parentId: number, nodes: readonly ScreenNode[]): Add[] {
  const adds: Add[] = []
  const pending = nodes.toReversed().map((node) => ({ parentId, node }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next
    const children = 'childNodes' in node ? node.childNodes : []
    adds.push({
      ...next,
      nextId: null,
      node: children.length > 0 ? ({ ...node, childNodes: [] } as ElementNode) : node,
    })
    for (const child of children.toReversed()) pending.push({ parentId: node.id, node: child })
  }
  return adds
}
