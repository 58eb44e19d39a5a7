import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { listOf, numberOf, objectOf, textOf, type JsonObject } from './json-value.ts'

/* PostHog's recorders for apps describe a screen by wireframes. This file turns wireframes into nodes of a page, so that taps can be named. */

const rootId = 0
/** Levels of nesting read, as of a page's nodes. */
const depthMax = 500
const choices: ReadonlySet<unknown> = new Set(['checkbox', 'radio', 'toggle'])

/** Returns a full snapshot's data with nodes instead of wireframes; data of a page is returned as it is. */
export function snapshotNodes(data: JsonObject): JsonObject {
  if (!Array.isArray(data['wireframes'])) return data
  return {
    node: { id: rootId, type: NodeType.Document, childNodes: data['wireframes'].map((each) => nodeOf(each)) },
  }
}

/** Returns a mutation's data with nodes instead of wireframes; data of a page is returned as it is. */
export function mutationNodes(data: JsonObject): JsonObject {
  const changes = [...listOf(data['updates']), ...listOf(data['adds'])].map(objectOf)
  if (!changes.some(({ wireframe }) => wireframe)) return data
  const adds = changes.map(({ parentId, wireframe }) => ({
    parentId: numberOf(parentId) ?? rootId,
    node: nodeOf(wireframe),
  }))
  return { removes: data['removes'], adds }
}

function nodeOf(given: unknown, depth = 0): JsonObject {
  const wireframe = objectOf(given)
  const { tagName, text, ...attributes } = lookOf(wireframe)
  const id = numberOf(wireframe['id'])
  const children =
    depth < depthMax ? listOf(wireframe['childWireframes']).map((child) => nodeOf(child, depth + 1)) : []
  const texts = text === '' || id === null ? [] : [{ id: -id, type: NodeType.Text, textContent: text }]
  return {
    id,
    type: NodeType.Element,
    tagName,
    attributes,
    box: wireframe,
    childNodes: [...texts, ...children],
  }
}

function lookOf({
  type,
  inputType,
  text,
  label,
  value,
}: JsonObject): Record<'tagName' | 'text', string> & { type?: string } {
  if (type === 'text') return { tagName: 'div', text: textOf(text) }
  if (type === 'image' || type === 'screenshot') return { tagName: 'img', text: '' }
  if (type !== 'input') return { tagName: 'div', text: textOf(label) }
  if (inputType === 'button') return { tagName: 'button', text: textOf(value) || textOf(label) }
  if (choices.has(inputType)) return { tagName: 'label', text: textOf(label) }
  if (inputType === 'select') return { tagName: 'select', text: '' }
  if (inputType === 'progress') return { tagName: 'div', text: '' }
  return { tagName: 'input', text: '', type: textOf(inputType) }
}
