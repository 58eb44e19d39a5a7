import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { viewIdMax } from '../../../replay/screen.ts'
import css from './screen.css?inline'

type Attributes = Record<string, string>
type TextNode = { id: number; type: typeof NodeType.Text; textContent: string }
export type ElementNode = {
  id: number
  type: typeof NodeType.Element
  tagName: string
  attributes: Attributes
  childNodes: ScreenNode[]
}
/** A node of the document that shows the screen, as rrweb serialises it. */
export type ScreenNode = TextNode | ElementNode

const ownIds = 2 * viewIdMax

/** Ids of the nodes that every document has, so that few changes turn one document into another. */
export const fixedIds = {
  document: ownIds,
  doctype: ownIds + 1,
  html: ownIds + 2,
  head: ownIds + 3,
  style: ownIds + 4,
  css: ownIds + 5,
  body: ownIds + 6,
  /** The `img` of a recorder that sends screenshots. It keeps the previous picture until the next one is decoded. */
  screenshot: ownIds + 7,
  /** Parent of the outermost wireframes. */
  screen: ownIds + 8,
  keyboard: ownIds + 9,
  keyboardName: ownIds + 10,
  /** The `img` that shows all views of a large screen. */
  picture: ownIds + 11,
} as const

/** Attribute of the root by which the player recognises the document. */
export const phone = 'data-phone'

let lastId = ownIds + 100

/** Returns an id for a node that no event refers to. */
export function newId(): number {
  lastId += 1
  return lastId
}

/** Returns the id of the node inside a view's node that contains its children. Replacing that node keeps the view's place. */
export function contentId(id: number): number {
  return id + viewIdMax
}

/** Returns the id of the view whose content a node is. */
export function viewOfContent(id: number): number {
  return id - viewIdMax
}

export function text(textContent: string, id = newId()): TextNode {
  return { id, type: NodeType.Text, textContent }
}

export function element(
  tagName: string,
  attributes: Attributes,
  childNodes: ScreenNode[] = [],
  id = newId(),
): ElementNode {
  return { id, type: NodeType.Element, tagName, attributes, childNodes }
}

export function screenNode(views: ScreenNode[]): ElementNode {
  return element('div', {}, views, fixedIds.screen)
}

/** Returns a document that shows a screenshot, views, or both. */
export function screenDocument(screenshot: Attributes, views: ScreenNode[]) {
  const ids = fixedIds
  const style = element('style', {}, [text(css, ids.css)], ids.style)
  const body = [
    element('img', { class: 'screenshot', alt: '', ...screenshot }, [], ids.screenshot),
    screenNode(views),
    element('div', { class: 'keyboard' }, [text('Keyboard', ids.keyboardName)], ids.keyboard),
  ]
  const html = [element('head', {}, [style], ids.head), element('body', {}, body, ids.body)]
  const doctype = { id: ids.doctype, type: NodeType.DocumentType, name: 'html', publicId: '', systemId: '' }
  const childNodes = [doctype, element('html', { [phone]: '' }, html, ids.html)]
  return { id: ids.document, type: NodeType.Document, childNodes }
}
