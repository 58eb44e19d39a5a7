import {
  EventType,
  IncrementalSource,
  isObject,
  isSize,
  moveSources,
  mutationParts,
  sourceOf,
  type ReplayEvent,
} from '../../../contract/rrweb.ts'

/** Elements that run or fetch something; what they hold is shown all the same. */
const foreign = /^(object|embed|applet|portal|fencedframe|base)$/i
const tagName = /^[a-z][\w.:-]*$/i
/** Attributes that lead to something elsewhere. */
const leading = new Set(
  'src href xlink:href srcset imagesrcset data poster background action formaction rr_dataurl'.split(' '),
)
/** Attributes that a picture of a page does without. */
const dropped =
  /^(on.*|srcdoc|http-equiv|rel|ping|manifest|longdesc|classid|codebase|archive|profile|target|autoplay|autofocus)$/i

/** Marks what would have been loaded from elsewhere, so that it can be drawn as a gap. */
export const notLoaded = 'data-not-loaded'

/**
 * Takes out of an event, in place, whatever could run, load or lead anywhere. The sandbox of the replayed document and the
 * policy of the player's allow none of it either. The answer is whether the event is whole enough to be played.
 */
export function neutralize(event: ReplayEvent): boolean {
  const { type, data } = event
  if (type === EventType.FullSnapshot) {
    if (!isObject(data['node'])) return false
    neutralizeTree(data['node'])
  }
  const source = sourceOf(event)
  if (source === IncrementalSource.Font) return data['buffer'] === true
  if (source === IncrementalSource.ViewportResize) return isSize(data)
  if (moveSources.has(source)) return hasPlaces(data)
  if (source !== IncrementalSource.Mutation) return true
  for (const part of mutationParts) if (!Array.isArray(data[part])) data[part] = []
  for (const { node } of objectsIn(data['adds'])) if (isObject(node)) neutralizeTree(node)
  for (const change of objectsIn(data['attributes']))
    change['attributes'] = isObject(change['attributes']) ? harmless(change['attributes']) : {}
  return true
}

function hasPlaces(data: Record<string, unknown>): boolean {
  const places = objectsIn(data['positions']).filter(({ timeOffset }) => typeof timeOffset === 'number')
  data['positions'] = places
  return places.length > 0
}

function neutralizeTree(root: Record<string, unknown>): void {
  const left = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    const tag = node['tagName']
    if (tag !== undefined) node['tagName'] = harmlessTag(tag)
    if (isObject(node['attributes'])) node['attributes'] = harmless(node['attributes'])
    left.push(...objectsIn(node['childNodes']))
  }
}

function harmlessTag(tag: unknown): string {
  if (typeof tag !== 'string' || !tagName.test(tag) || foreign.test(tag)) return 'div'
  return /^script$/i.test(tag) ? 'noscript' : tag
}

function harmless(attributes: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (dropped.test(name)) continue
    if (!leading.has(name.toLowerCase()) || value === null || isInside(value)) kept[name] = value
    else if (name === 'href') kept[name] = '#'
    else kept[notLoaded] = ''
  }
  return kept
}

/** Whether it points at a part of the page itself, or holds a picture whole. */
function isInside(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(#|$|data:image\/)/i.test(value)
}

function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
