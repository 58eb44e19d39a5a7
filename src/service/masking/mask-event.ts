import {
  EventType,
  IncrementalSource,
  isObject,
  NodeType,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from '../../replay/recorded/rrweb.ts'
import { stateTag } from '../../replay/recorded/page-state.ts'
import { idOf, type Data } from '../../replay/page-tree.ts'
import { blank as blankText } from '../../contract/privacy/mask-text.ts'
import type { Masked, MaskedNodes } from './masked-nodes.ts'

/** Attributes that can contain text. */
const textAttributes =
  /^(title|alt|placeholder|label|content|summary|abbr|name|for|list|download|srcdoc|cite|aria-.*|data-.*|value|datetime|xlink:title)$/i
/** Attributes that contain or name a picture. */
const imageAttributes =
  /^(src|srcset|imagesrcset|poster|background|data|d|points|rr_dataurl|href|xlink:href)$/i
/** Attributes that only place or style an element. All others of a fully masked element are left out. */
const plainAttributes =
  /^(class|id|style|dir|width|height|type|rows|cols|size|colspan|rowspan|role|hidden|multiple|viewbox|xmlns|rr_width|rr_height|rr_scrollleft|rr_scrolltop)$/i
const inputState = /^(checked|selected)$/i

/** What is known of the nodes that an event names. */
export type NodeMasks = Pick<MaskedNodes, 'get' | 'hasSeen' | 'hasPlaced'>

/** Returns the text with every character but white space replaced; "" for anything else. */
export function blank(text: unknown): string {
  return typeof text === 'string' ? blankText(text) : ''
}

/** Returns an event without the content of masked nodes; null if nothing of the event may be shown. */
export function maskEvent(event: ReplayEvent, nodes: NodeMasks): ReplayEvent | null {
  const { data } = event
  if (event.type === EventType.FullSnapshot) {
    const { node, initialOffset } = data
    return { ...event, data: { node: maskTree(isObject(node) ? node : {}, nodes), initialOffset } }
  }
  if (event.type !== EventType.IncrementalSnapshot) return event
  const masked = nodes.get(data['id'])
  switch (sourceOf(event)) {
    case IncrementalSource.Mutation:
      return { ...event, data: maskMutation(data, nodes) }
    case IncrementalSource.Input:
      if (!nodes.hasSeen(data['id'])) return null
      return masked?.input
        ? { ...event, data: { ...data, text: blank(data['text']), isChecked: false } }
        : event
    case IncrementalSource.CanvasMutation:
      return masked?.image || !nodes.hasSeen(data['id']) ? null : event
    case IncrementalSource.MouseMove:
    case IncrementalSource.MouseInteraction:
    case IncrementalSource.Scroll:
    case IncrementalSource.ViewportResize:
    case IncrementalSource.TouchMove:
    case IncrementalSource.MediaInteraction:
    case IncrementalSource.StyleSheetRule:
    case IncrementalSource.Font:
    case IncrementalSource.Drag:
    case IncrementalSource.StyleDeclaration:
    case IncrementalSource.Selection:
    case IncrementalSource.AdoptedStyleSheet:
      return event
    default:
      return null
  }
}

/** Values of keyframes that a style sheet can show as text. */
const shownValue = /^(?:--|counter)/

/** Returns an event without values of animations that a masked element, or one in the animated element, can show as text. */
export function maskAnimations(event: ReplayEvent): ReplayEvent {
  if (stateTag(event) !== 'spool/animations') return event
  const shown = JSON.stringify(event, (name, value: unknown) => (shownValue.test(name) ? undefined : value))
  return JSON.parse(shown) as ReplayEvent
}

function maskMutation(data: Data, nodes: NodeMasks): Data {
  return {
    source: IncrementalSource.Mutation,
    removes: data['removes'] ?? [],
    adds: objectsIn(data['adds']).flatMap((add) =>
      isObject(add['node']) && nodes.hasPlaced(add['node'])
        ? { ...add, node: maskTree(add['node'], nodes) }
        : [],
    ),
    texts: seenIn(data['texts'], nodes).map((text) => {
      const masked = nodes.get(text['id'])
      return masked?.text && !masked.isCode ? { ...text, value: blank(text['value']) } : text
    }),
    attributes: seenIn(data['attributes'], nodes).map((change) => {
      const masked = nodes.get(change['id'])
      const { attributes } = change
      return masked && isObject(attributes)
        ? { ...change, attributes: maskAttributes(attributes, masked) }
        : change
    }),
  }
}

function seenIn(changes: unknown, nodes: NodeMasks): Data[] {
  return objectsIn(changes).filter(({ id }) => nodes.hasSeen(id))
}

/** Masks a serialised node with its descendants. */
function maskTree(tree: Data, nodes: NodeMasks): Data {
  return mapTree(
    tree,
    'childNodes',
    (node) => maskNode(node, nodes),
    (node) => nodes.hasPlaced(node),
  )
}

/**
 * Replaces an object and those below it, without recursion, because a recording can be deep. Leaves out what is not kept.
 */
export function mapTree(
  tree: Data,
  below: string,
  replace: (node: Data) => Data,
  isKept: (node: Data) => boolean = () => true,
): Data {
  const top = replace(tree)
  const pending = [top]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node[below] === undefined) continue
    const children = objectsIn(node[below]).filter(isKept).map(replace)
    node[below] = children
    pending.push(...children)
  }
  return top
}

function maskNode(node: Data, nodes: NodeMasks): Data {
  const masked = nodes.get(idOf(node))
  if (!masked) return { ...node }
  const { attributes, textContent, type } = node
  const isRead = masked.text && !masked.isCode
  return {
    ...node,
    ...(isObject(attributes) && { attributes: maskAttributes(attributes, masked) }),
    ...(textContent !== undefined &&
      (isRead || type === NodeType.Comment) && { textContent: blank(textContent) }),
  }
}

function maskAttributes(attributes: Data, masked: Masked): Data {
  const kept: Data = {}
  for (const [name, value] of Object.entries(attributes)) {
    const shown = maskAttribute(name, value, masked)
    if (shown !== undefined) kept[name] = shown
  }
  return kept
}

/** Returns an attribute's value as visitors may see it; undefined to leave it out. */
function maskAttribute(name: string, value: unknown, { tag, text, input, image, pictures }: Masked): unknown {
  // The text of a style sheet is not text of the page.
  if (tag === 'style' || tag === 'link') return value
  if (name === 'value') return input || text ? blank(value) : value
  if (input && inputState.test(name)) return undefined
  if (text && input && image && !plainAttributes.test(name)) return undefined
  if (text && textAttributes.test(name)) return undefined
  if (text && /^(href|xlink:href)$/i.test(name) && /^(a|area)$/.test(tag)) return undefined
  if (image && imageAttributes.test(name)) return undefined
  if (pictures && (name === 'background' || (tag === 'input' && name === 'src'))) return undefined
  if (name !== 'style') return value
  const style = pictures ? withoutPictures(value) : value
  return text ? withoutStrings(style) : style
}

/** Returns an inline style, as text or as changed declarations, without pictures. */
function withoutPictures(style: unknown): unknown {
  if (typeof style === 'string') return /url\(|image-set\(/i.test(style) ? '' : style
  if (!isObject(style)) return style
  return Object.fromEntries(
    Object.entries(style).filter(([, value]) => !/url\(|image-set\(/i.test(JSON.stringify(value))),
  )
}

const customProperty = /--[^\s:;"']+\s*:(?:"(?:[^"\\]|\\[^])*"?|'(?:[^'\\]|\\[^])*'?|[^;"'])*;?/g

/** Returns an inline style without custom properties that contain a string, which a style sheet can show as text. */
function withoutStrings(style: unknown): unknown {
  if (typeof style === 'string')
    return style.replaceAll(customProperty, (property) => (/["']/.test(property) ? '' : property))
  if (!isObject(style)) return style
  return Object.fromEntries(
    Object.entries(style).filter(([name, value]) => !name.startsWith('--') || !/["']/.test(String(value))),
  )
}
