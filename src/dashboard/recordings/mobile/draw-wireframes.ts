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
    const look = `view ${content.look}${wireframe['disabled'] === true ? ' off' : ''}`
    return element('div', { class: look, style: styleOf(wireframe) }, [inside], id)
  }
  return drawAll(wireframes, depth)
}

/** A view with the id of the node that contains it. */
export type PlacedView = { id: number; parent: number }

/** Lists drawn views and those inside them; `parent` contains the outermost. */
export function viewsIn(drawn: readonly ScreenNode[], parent: number): PlacedView[] {
  return drawn.flatMap((node) => {
    // A view's own content has no `div`.
    if (!('tagName' in node) || node.tagName !== 'div') return []
    const [content] = node.childNodes
    const inside = content && 'childNodes' in content ? viewsIn(content.childNodes, content.id) : []
    return [{ id: node.id, parent }, ...inside]
  })
}

type Add = { parentId: number; nextId: null; node: ScreenNode }

/** Returns the additions of nodes to a parent; rrweb adds each node of a tree by itself. */
export function additions(parentId: number, nodes: readonly ScreenNode[]): Add[] {
  return nodes.flatMap((node) => {
    if (!('childNodes' in node)) return [{ parentId, nextId: null, node }]
    const alone = { ...node, childNodes: [] }
    return [{ parentId, nextId: null, node: alone }, ...additions(node.id, node.childNodes)]
  })
}

/** What is drawn inside a wireframe's box, before its children; `look` is a class in `screen.css`. */
type Content = { look: string; nodes: ScreenNode[] }

const textLengthMax = 10_000
const starsMax = 20
const plainTypes: ReadonlySet<unknown> = new Set([undefined, null, 'div', 'rectangle', 'radio_group'])

function contentOf(wireframe: Wireframe): Content {
  const { type, label, url, base64, text: words } = wireframe
  if (plainTypes.has(type)) return { look: '', nodes: [] }
  const src = imageOf(base64)
  const isImage = type === 'image' || type === 'screenshot'
  if (isImage && src !== null) return { look: 'image', nodes: [element('img', { src, alt: '' })] }
  switch (type) {
    case 'text':
      return { look: 'text', nodes: textOf(words) }
    case 'web_view':
      return placeholder(url ?? 'Web page')
    case 'status_bar':
      return { look: 'status-bar', nodes: ['signal', 'battery'].map((name) => element('i', { class: name })) }
    case 'navigation_bar':
      return { look: 'navigation-bar', nodes: ['◁', '○', '□'].map(symbol) }
    case 'input':
      return inputOf(wireframe)
    default:
      return placeholder(label ?? type)
  }
}

function inputOf(wireframe: Wireframe): Content {
  const { inputType, value, label, options } = wireframe
  const isOn = wireframe['checked'] === true
  const chosen = value ?? (Array.isArray(options) ? options[0] : '')
  switch (inputType) {
    case 'checkbox':
    case 'radio':
      return { look: 'choice', nodes: [mark(inputType, isOn), ...textOf(label)] }
    case 'toggle':
      return { look: 'choice spread', nodes: [...textOf(label), mark('toggle', isOn)] }
    case 'button':
      return { look: 'button', nodes: textOf(value ?? label) }
    case 'select':
      return { look: 'field spread', nodes: [...textOf(chosen), symbol('▾')] }
    case 'text_area':
      return { look: 'field area', nodes: textOf(value) }
    case 'progress':
      return progressOf(wireframe)
    case 'password':
      return {
        look: 'field',
        nodes: textOf('•'.repeat(typeof value === 'string' ? Math.min(value.length, 40) : 0)),
      }
    default:
      return { look: 'field', nodes: textOf(value) }
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
  return { look: 'placeholder', nodes: textOf(label) }
}

function textOf(value: unknown): ScreenNode[] {
  return typeof value === 'string' || typeof value === 'number'
    ? [text(String(value).slice(0, textLengthMax))]
    : []
}
