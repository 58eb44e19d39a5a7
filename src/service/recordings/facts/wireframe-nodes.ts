import type { PageNodes } from '../../../replay/page-nodes.ts'
import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { listOf, numberOf, objectOf, textOf, type JsonObject } from '../../snapshots/json-value.ts'

/* PostHog's recorders for apps describe a screen by wireframes. This file turns wireframes into nodes of a page, so that taps can be named. */

export type Box = { x: number; y: number; width: number; height: number }

const rootId = 0
/** A document would keep only one element. */
const body = { id: rootId, type: NodeType.Element, tagName: 'body', attributes: {} }
/** Levels of nesting read, as of a page's nodes. */
const depthMax = 500
const choices: ReadonlySet<unknown> = new Set(['checkbox', 'radio', 'toggle'])

/** Returns a full snapshot's data with nodes instead of wireframes; data of a page is returned as it is. */
export function snapshotNodes(data: JsonObject): JsonObject {
  if (!Array.isArray(data['wireframes'])) return data
  return { node: { ...body, childNodes: data['wireframes'].map((each) => nodeOf(each)) } }
}

/** Returns a mutation's data with nodes instead of wireframes; data of a page is returned as it is. */
export function mutationNodes(nodes: PageNodes, data: JsonObject): JsonObject {
  const changes = [...listOf(data['updates']), ...listOf(data['adds'])].map(objectOf)
  if (!changes.some(({ wireframe }) => wireframe)) return data
  const added = changes.map(({ wireframe }) => objectOf(wireframe))
  const removes = [...listOf(data['removes']).map(objectOf), ...added].map(({ id }) => ({
    id,
    parentId: nodes.get(numberOf(id))?.parent,
  }))
  const adds = changes.flatMap(({ parentId, wireframe }) =>
    additionsOf(nodeOf(wireframe), numberOf(parentId) ?? rootId),
  )
  return { removes, adds }
}

/** Returns a node and its descendants as rrweb adds them: each by itself. */
function additionsOf(node: JsonObject, parentId: number): JsonObject[] {
  const id = numberOf(node['id'])
  if (id === null) return []
  const children = listOf(node['childNodes']).flatMap((child) => additionsOf(objectOf(child), id))
  return [{ parentId, node }, ...children]
}

function nodeOf(given: unknown, depth = 0): JsonObject {
  const wireframe = objectOf(given)
  const { tagName, text, ...attributes } = lookOf(wireframe)
  const id = numberOf(wireframe['id'])
  const children =
    depth < depthMax ? listOf(wireframe['childWireframes']).map((child) => nodeOf(child, depth + 1)) : []
  const texts = text === '' || id === null ? [] : [{ id: -id, type: NodeType.Text, textContent: text }]
  const childNodes = [...texts, ...children]
  return { id, type: NodeType.Element, tagName, attributes, box: boxOf(wireframe), childNodes }
}

function boxOf({ x, y, width, height }: JsonObject): Box | null {
  const [w, h] = [numberOf(width), numberOf(height)]
  return w === null || h === null ? null : { x: numberOf(x) ?? 0, y: numberOf(y) ?? 0, width: w, height: h }
}

function lookOf(wireframe: JsonObject): { tagName: string; text: string; type?: string } {
  const { type, inputType, text, label, value } = wireframe
  if (type === 'text') return { tagName: 'div', text: textOf(text) }
  if (type === 'image' || type === 'screenshot') return { tagName: 'img', text: '' }
  if (type !== 'input') return { tagName: 'div', text: textOf(label) }
  if (inputType === 'button') return { tagName: 'button', text: textOf(value) || textOf(label) }
  if (choices.has(inputType)) return { tagName: 'label', text: textOf(label) }
  if (inputType === 'select') return { tagName: 'select', text: '' }
  if (inputType === 'progress') return { tagName: 'div', text: '' }
  return { tagName: 'input', text: '', type: textOf(inputType) }
}
