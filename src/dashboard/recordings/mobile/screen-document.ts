import { NodeType } from '../../../contract/rrweb.ts'
import css from './screen.css?raw'

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

/** Above the ids of an app's views: 31 bits on Android, and addresses on iOS. */
const viewIdMax = 2 ** 50
const ownIds = 2 * viewIdMax

/** Ids of the document's fixed nodes; mutations refer to them. */
export const fixedIds = {
  body: ownIds,
  /** The `img` of a recorder that sends screenshots. It keeps the previous picture until the next one is decoded. */
  screenshot: ownIds + 1,
  /** Parent of the outermost wireframes. */
  screen: ownIds + 2,
  keyboard: ownIds + 3,
} as const

/** Attribute of the document's root, by which the player knows it. */
export const phone = 'data-phone'

let lastId = ownIds + 100

/** Returns an id for a node that no event refers to. */
export function newId(): number {
  lastId += 1
  return lastId
}

/** Returns the id of the node that shows a view; null unless `id` is the id of a view. */
export function viewId(id: unknown): number | null {
  if (typeof id !== 'number' || !Number.isFinite(id)) return null
  return Math.abs(Math.trunc(id)) % viewIdMax || null
}

/** Returns the id of the node inside a view's node that contains its children. Replacing that node keeps the view's place. */
export function contentId(id: number): number {
  return id + viewIdMax
}

export function text(textContent: string): TextNode {
  return { id: newId(), type: NodeType.Text, textContent }
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
  const body = [
    element('img', { class: 'screenshot', alt: '', ...screenshot }, [], fixedIds.screenshot),
    screenNode(views),
    element('div', { class: 'keyboard' }, [text('Keyboard')], fixedIds.keyboard),
  ]
  const html = element('html', { [phone]: '' }, [
    element('head', {}, [element('style', {}, [text(css)])]),
    element('body', {}, body, fixedIds.body),
  ])
  const doctype = { id: newId(), type: NodeType.DocumentType, name: 'html', publicId: '', systemId: '' }
  return { id: newId(), type: NodeType.Document, childNodes: [doctype, html] }
}
