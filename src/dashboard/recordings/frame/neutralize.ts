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

/** Elements that run or fetch something. Each becomes a `div`, so its content is still rendered. */
const replacedTags = /^(object|embed|applet|portal|fencedframe|base)$/i
const validTagName = /^[a-z][\w.:-]*$/i
/** Attributes that can refer to another resource. */
const urlAttributes = new Set(
  'src href xlink:href srcset imagesrcset data poster background action formaction rr_dataurl'.split(' '),
)
/** Attributes removed from every element. */
const droppedAttributes =
  /^(on.*|srcdoc|http-equiv|rel|ping|manifest|longdesc|classid|codebase|archive|profile|target|autoplay|autofocus)$/i

/** Attribute of an element whose external resource was removed; the player hatches such elements. */
export const notLoaded = 'data-not-loaded'

/**
 * Removes from an event, in place, everything that could run, load or navigate. This adds to the sandbox of the replayed
 * document and the content security policy of the player. Returns whether the event is complete enough to be played.
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
  if (moveSources.has(source)) return keepPositions(data)
  if (source !== IncrementalSource.Mutation) return true
  for (const part of mutationParts) if (!Array.isArray(data[part])) data[part] = []
  for (const { node } of objectsIn(data['adds'])) if (isObject(node)) neutralizeTree(node)
  for (const change of objectsIn(data['attributes']))
    change['attributes'] = isObject(change['attributes']) ? safeAttributes(change['attributes']) : {}
  return true
}

/** Drops invalid positions from a mouse move; returns whether any remain. */
function keepPositions(data: Record<string, unknown>): boolean {
  const positions = objectsIn(data['positions']).filter(({ timeOffset }) => typeof timeOffset === 'number')
  data['positions'] = positions
  return positions.length > 0
}

function neutralizeTree(root: Record<string, unknown>): void {
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const tag = node['tagName']
    if (tag !== undefined) node['tagName'] = safeTag(tag)
    if (isObject(node['attributes'])) node['attributes'] = safeAttributes(node['attributes'])
    pending.push(...objectsIn(node['childNodes']))
  }
}

function safeTag(tag: unknown): string {
  if (typeof tag !== 'string' || !validTagName.test(tag) || replacedTags.test(tag)) return 'div'
  return /^script$/i.test(tag) ? 'noscript' : tag
}

function safeAttributes(attributes: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (droppedAttributes.test(name)) continue
    if (!urlAttributes.has(name.toLowerCase()) || value === null || isLocal(value)) kept[name] = value
    else if (name === 'href') kept[name] = '#'
    else kept[notLoaded] = ''
  }
  return kept
}

/** Whether a URL is a fragment of the same page or an embedded image. */
function isLocal(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(#|$|data:image\/)/i.test(value)
}

export function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
