import { objectsIn, isObject } from '../../../replay/recorded/rrweb.ts'
import { depthMax, viewId, type Wireframe } from '../../../replay/screen.ts'
import { contentId, element, newId, type ElementNode, type ScreenNode, text } from './screen-document.ts'
import { styleOf, colorOf, imageOf } from './wireframe-style.ts'

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

/** What is drawn inside a wireframe's box, before its children; `look` is a class in `screen.css`. */
type Content = { look: string; nodes: ScreenNode[] }

const textLengthMax = 10_000
const starsMax = 20
const plainTypes: ReadonlySet<unknown> = new Set([undefined, null, 'div', 'rectangle', 'radio_group'])

function contentOf(wireframe: Wireframe): Content {
  const { type, label, url, base64 } = wireframe
  if (plainTypes.has(type)) return { look: '', nodes: [] }
  switch (type) {
    case 'text':
      return { look: 'text', nodes: words(wireframe['text']) }
    case 'image':
    case 'screenshot': {
      const src = imageOf(base64)
      return src === null
        ? placeholder(label ?? type)
        : { look: 'image', nodes: [element('img', { src, alt: '' })] }
    }
    case 'web_view':
      return placeholder(url ?? 'Web page')
    case 'status_bar':
      return {
        look: 'status-bar',
        nodes: [element('i', { class: 'signal' }), element('i', { class: 'battery' })],
      }
    case 'navigation_bar':
      return { look: 'navigation-bar', nodes: ['◁', '○', '□'].map(symbol) }
    case 'input':
      return inputOf(wireframe)
    default:
      return placeholder(label ?? type)
  }
}

function inputOf(wireframe: Wireframe): Content {
  const { inputType, value, label, checked, options } = wireframe
  switch (inputType) {
    case 'checkbox':
    case 'radio':
      return { look: 'choice', nodes: [mark(inputType, checked === true), ...words(label)] }
    case 'toggle':
      return { look: 'choice spread', nodes: [...words(label), mark('toggle', checked === true)] }
    case 'button':
      return { look: 'button', nodes: words(value ?? label) }
    case 'select':
      return {
        look: 'field spread',
        nodes: [...words(value ?? (Array.isArray(options) ? options[0] : '')), symbol('▾')],
      }
    case 'text_area':
      return { look: 'field area', nodes: words(value) }
    case 'progress':
      return progressOf(wireframe)
    case 'password':
      return { look: 'field', nodes: [text('•'.repeat(Math.min(lengthOf(value), 40)))] }
    default:
      return { look: 'field', nodes: words(value) }
  }
}

/** A progress bar without a value shows only that work is in progress. */
function progressOf({ value, max, style }: Wireframe): Content {
  const { bar, color } = isObject(style) ? style : {}
  const most = typeof max === 'number' && max > 0 ? max : 1
  const share = typeof value === 'number' ? Math.min(Math.max(0, value / most), 1) : null
  if (bar === 'rating') {
    const stars = Math.min(Math.round(most), starsMax)
    const filled = Math.round((share ?? 0) * stars)
    return { look: 'rating', nodes: [text('★'.repeat(filled) + '☆'.repeat(stars - filled))] }
  }
  const look = `progress ${bar === 'circular' ? 'circular' : ''} ${share === null ? 'endless' : ''}`
  const declarations = [`--share: ${Math.round((share ?? 0.25) * 100)}%`]
  if (colorOf(color) !== null) declarations.push(`--color: ${colorOf(color)}`)
  return { look, nodes: [element('i', { style: declarations.join('; ') })] }
}

function mark(kind: string, isOn: boolean): ScreenNode {
  return element('i', { class: isOn ? `${kind} on` : kind })
}

/** A separate element, because adjacent texts are laid out as one. */
function symbol(character: string): ScreenNode {
  return element('i', { class: 'symbol' }, [text(character)])
}

function placeholder(label: unknown): Content {
  return { look: 'placeholder', nodes: words(label) }
}

function words(value: unknown): ScreenNode[] {
  return typeof value === 'string' || typeof value === 'number'
    ? [text(String(value).slice(0, textLengthMax))]
    : []
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}
