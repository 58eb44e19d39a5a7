import { gzipSync } from 'node:zlib'
import {
  EventType,
  IncrementalSource,
  isObject,
  mutationParts,
  objectsIn,
  sourceOf,
  type RecordedEvent,
  type ReplayEvent,
} from '../../replay/recorded/rrweb.ts'
import type { Data } from '../../replay/page-tree.ts'
import { unpackData } from '../snapshots/unpack-event.ts'
import { mapTree } from './mask-event.ts'
import type { FollowedPage } from './followed-pages.ts'

type Mask = (text: string) => string
/** `name`: of the field that contains the text. */
type MaskField = (text: string, name: string) => string
type Rules = { mask: Mask | null; page: FollowedPage | null }

/** Attributes of the site rather than its visitors; names of files such as `logo@2x.png` look like addresses. */
const siteAttributes = /^(_csstext|style|class|src|srcset|imagesrcset|poster|d|points|rr_.*)$/i
/** Fields of wireframes that a visitor reads. */
const wireframeTexts = /^(text|label|value|url|options)$/

/** Bytes of a picture in rrweb's commands of a canvas. */
const bytes = /^(?:data:image\/[\w.+-]+;base64,)?[\w+/]*={0,2}$/

/** Changes of style sheets, which are the site's own. */
const styleSources: ReadonlySet<unknown> = new Set([
  IncrementalSource.StyleSheetRule,
  IncrementalSource.StyleDeclaration,
  IncrementalSource.AdoptedStyleSheet,
  IncrementalSource.Font,
])

/**
 * Returns an event of a recorded page with its texts masked; the event itself if nothing changes. Parts that were compressed
 * are compressed again; damaged ones, which cannot be searched, are left out.
 */
export function maskRecorded(event: RecordedEvent, { mask, page }: Rules): RecordedEvent {
  const { type, timestamp } = event
  const data = unpackData({ type, timestamp, data: event.data, window: '' })
  const unpacked: ReplayEvent = { type, timestamp, data }
  const chosen = page?.mask(unpacked) ?? unpacked
  const masked = mask ? maskTexts(chosen, mask) : chosen
  return masked === unpacked && !isDamaged(event, data) ? event : packed(event, masked.data)
}

function isDamaged({ data: sent }: RecordedEvent, data: Data): boolean {
  if (typeof sent === 'string') return Object.keys(data).length === 0
  return mutationParts.some((part) => typeof sent?.[part] === 'string' && data[part] === undefined)
}

function packed(event: RecordedEvent, data: Data): RecordedEvent {
  const { data: sent } = event
  if (typeof sent === 'string') return { ...event, data: pack(data) }
  const parts = mutationParts.filter((part) => typeof sent?.[part] === 'string' && data[part] !== undefined)
  return { ...event, data: { ...data, ...Object.fromEntries(parts.map((part) => [part, pack(data[part])])) } }
}

function pack(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString('latin1')
}

/** Masks the texts of an event; returns the event itself if none changes. */
function maskTexts(event: ReplayEvent, given: Mask): ReplayEvent {
  let isChanged = false
  const mask = (text: string) => {
    const masked = given(text)
    isChanged ||= masked !== text
    return masked
  }
  const data = maskData(event, mask)
  return isChanged ? { ...event, data } : event
}

function maskData(event: ReplayEvent, mask: Mask): Data {
  const { data } = event
  const source = sourceOf(event)
  if (styleSources.has(source)) return data
  if (event.type === EventType.FullSnapshot) return { ...data, ...maskTrees(data, mask) }
  if (source === IncrementalSource.CanvasMutation) return maskValue(data, besidesPictures(mask)) as Data
  if (source !== IncrementalSource.Mutation) return maskValue(data, mask) as Data
  const trees = (list: unknown) => objectsIn(list).map((item) => ({ ...item, ...maskTrees(item, mask) }))
  const texts = objectsIn(data['texts']).map((text) => ({ ...text, value: maskValue(text['value'], mask) }))
  const attributes = objectsIn(data['attributes']).map((change) => ({
    ...change,
    attributes: maskAttributes(change['attributes'], mask),
  }))
  return {
    ...data,
    ...(data['adds'] !== undefined && { adds: trees(data['adds']) }),
    ...(data['updates'] !== undefined && { updates: trees(data['updates']) }),
    ...(data['texts'] !== undefined && { texts }),
    ...(data['attributes'] !== undefined && { attributes }),
  }
}

/** Masks the nodes of a page, or the wireframes of an app, in a snapshot or in an item of a change. */
function maskTrees({ node, wireframe, wireframes }: Data, mask: Mask): Data {
  const ofNode = (tree: Data) => mapTree(tree, 'childNodes', (each) => maskNode(each, mask))
  const ofWireframe = (tree: Data) => mapTree(tree, 'childWireframes', (each) => maskWireframe(each, mask))
  return {
    ...(isObject(node) && { node: ofNode(node) }),
    ...(isObject(wireframe) && { wireframe: ofWireframe(wireframe) }),
    ...(wireframes !== undefined && { wireframes: objectsIn(wireframes).map(ofWireframe) }),
  }
}

function maskNode(node: Data, mask: Mask): Data {
  const { textContent, attributes, tagName, isStyle } = node
  const isSite = tagName === 'link' || isStyle === true
  return {
    ...node,
    ...(typeof textContent === 'string' && !isSite && { textContent: mask(textContent) }),
    ...(isObject(attributes) && !isSite && { attributes: maskAttributes(attributes, mask) }),
  }
}

function maskAttributes(attributes: unknown, mask: Mask): unknown {
  if (!isObject(attributes)) return attributes
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' && !siteAttributes.test(name) ? mask(value) : value,
    ]),
  )
}

function maskWireframe(wireframe: Data, mask: Mask): Data {
  return Object.fromEntries(
    Object.entries(wireframe).map(([name, value]) => [
      name,
      wireframeTexts.test(name) ? maskValue(value, mask) : value,
    ]),
  )
}

/** Masks all texts in a value. The depth of a request is bounded. */
function maskValue(value: unknown, mask: MaskField, name = ''): unknown {
  if (typeof value === 'string') return mask(value, name)
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask, name))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskValue(part, mask, key)]))
}

/** Digits among the bytes of a picture are no text. */
function besidesPictures(mask: Mask): MaskField {
  return (text, name) =>
    (name === 'base64' || text.startsWith('data:')) && bytes.test(text) ? text : mask(text)
}
