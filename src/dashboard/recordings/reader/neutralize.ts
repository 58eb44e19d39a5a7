import { assetAttribute, assetUrl, fragmentOf } from '../../../replay/recorded/asset-url.ts'
import { PageBase } from '../../../replay/recorded/page-base.ts'
import {
  EventType,
  IncrementalSource,
  NodeType,
  isObject,
  isSize,
  moveSources,
  mutationParts,
  objectsIn,
  sourceOf,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { readState, stateTag } from '../../../replay/recorded/page-state.ts'
import { adaptCss } from '../../../replay/recorded/adapt-css.ts'
import type { LackingState } from '../player/player-messages.ts'
import { allCandidates, isEmbedded, loadableCandidates, type Placeholders } from './placeholders.ts'

/** Elements that run or fetch something. Each becomes a `div`, so its content is still rendered. */
const replacedTags = /^(object|embed|applet|portal|fencedframe|base)$/i
const validTagName = /^[a-z][\w.:-]*$/i
/** Attributes that can refer to another resource. */
const urlAttributes = new Set('src href xlink:href srcset data poster background rr_dataurl'.split(' '))
/** Attributes removed from every element: they run, load or navigate, or prevent a stored copy from loading. */
const droppedAttributes =
  /^(on.*|srcdoc|http-equiv|ping|manifest|longdesc|classid|codebase|archive|profile|target|autoplay|autofocus|action|formaction|imagesrcset|crossorigin|integrity|loading)$/i
const styleSheetRelation = /^\s*(alternate\s+)?stylesheet\s*$/i

/** How our addition to the recorder puts a picture in the place of an image's `blob:` address. */
const pictureOfBlob = /^data:image[^#]*#(blob:.*)/

/** How rrweb records a font's file: as its bytes. */
const fontBytes = /^\[[\d,\s]*\]$/
const fontLengthMax = 20_000_000

/** Attribute of an element whose external resource was removed; the player hatches such elements. */
export const notLoaded = 'data-not-loaded'

/** How CSS shows that it depends on a state which only our addition to the recorder reports; an attribute shows popovers, too. */
const stateInCss = {
  scheme: /prefers-color-scheme|light-dark\(|color-scheme\s*:[^;}]{0,40}(light\s+dark|dark\s+light)/i,
  contrast: /prefers-contrast/i,
  popovers: /:popover-open/i,
  target: /:target(?![\w-])/i,
} satisfies Partial<Record<LackingState, RegExp>>
const usedStates = Object.keys(stateInCss) as (keyof typeof stateInCss)[]

type RecordedPage = {
  base: PageBase
  /** Addresses of the style sheets that are only preloaded, by the id of their link. */
  preloads: Map<unknown, unknown>
  /** Names of the elements by their id; a text in a `style` has the same name. */
  tags: Map<unknown, string>
  placeholders: Placeholders
  uses: Set<LackingState>
}

/**
 * Returns a function that removes from an event, in place, everything that could run, load or navigate, and puts
 * placeholders in the place of assets. This adds to the sandbox of the replayed document and the content security policy of the player.
 * The function returns whether the event is complete enough to be played. `uses` receives the states that the pages' CSS uses.
 */
export function createNeutralizer(
  placeholders: Placeholders,
  uses = new Set<LackingState>(),
): (event: WindowEvent) => boolean {
  const pages = new Map<string, RecordedPage>()
  return ({ window, event }) => {
    const page = pages.get(window) ?? {
      base: new PageBase(),
      preloads: new Map(),
      tags: new Map(),
      placeholders,
      uses,
    }
    pages.set(window, page)
    page.base.follow(event)
    return neutralize(event, page)
  }
}

function neutralize(event: ReplayEvent, page: RecordedPage): boolean {
  const { type, data } = event
  if (type === EventType.FullSnapshot) {
    if (!isObject(data['node'])) return false
    page.tags.clear()
    page.preloads.clear()
    neutralizeTree(data['node'], page)
  }
  if (stateTag(event)) {
    const state = readState(event)
    event.data = { ...state }
    return state !== null
  }
  const source = sourceOf(event)
  if (source === IncrementalSource.ViewportResize) return isSize(data)
  if (moveSources.has(source)) return keepPositions(data)
  if (source === IncrementalSource.Mutation) neutralizeMutation(data, page)
  else if (source !== undefined) neutralizeRules(data, page)
  return source !== IncrementalSource.Font || keepFont(data)
}

function neutralizeMutation(data: Record<string, unknown>, page: RecordedPage): void {
  for (const part of mutationParts) if (!Array.isArray(data[part])) data[part] = []
  for (const { node, parentId } of objectsIn(data['adds']))
    if (isObject(node)) neutralizeTree(node, page, page.tags.get(parentId))
  for (const text of objectsIn(data['texts']))
    if (isStyle(page.tags.get(text['id']))) holdInCss(text, 'value', page)
  for (const change of objectsIn(data['attributes'])) {
    const { id, attributes } = change
    change['attributes'] = isObject(attributes)
      ? safeAttributes(
          page.tags.get(id),
          page.preloads.has(id) ? heldBack(id, attributes, page) : attributes,
          page,
        )
      : {}
  }
}

/** Puts placeholders in the CSS of an event that changes style sheets or adds a font. */
function neutralizeRules(data: Record<string, unknown>, page: RecordedPage): void {
  for (const key of ['replace', 'replaceSync']) holdInCss(data, key, page)
  if (data['buffer'] !== true) holdInCss(data, 'fontSource', page)
  if (isObject(data['set'])) holdInCss(data['set'], 'value', page)
  for (const { rules, adds } of [data, ...objectsIn(data['styles'])])
    for (const rule of [...objectsIn(rules), ...objectsIn(adds)]) holdInCss(rule, 'rule', page)
}

/** Drops invalid descriptors from a font; returns whether the rest is what `FontFace` expects. */
function keepFont(data: Record<string, unknown>): boolean {
  const { family, fontSource, buffer, descriptors } = data
  const given = Object.entries(isObject(descriptors) ? descriptors : {})
  data['descriptors'] = Object.fromEntries(given.filter(([, value]) => typeof value === 'string'))
  if (typeof family !== 'string' || typeof fontSource !== 'string') return false
  return !buffer || (fontSource.length <= fontLengthMax && fontBytes.test(fontSource))
}

/** Drops invalid positions from a mouse move; returns whether any remain. */
function keepPositions(data: Record<string, unknown>): boolean {
  const positions = objectsIn(data['positions']).filter(({ timeOffset }) => typeof timeOffset === 'number')
  data['positions'] = positions
  return positions.length > 0
}

/** `parentTag` is the name of the element that contains the root. */
function neutralizeTree(root: Record<string, unknown>, page: RecordedPage, parentTag?: string): void {
  const pending = [{ node: root, parentTag }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next
    let tag: string | undefined
    if (node['tagName'] !== undefined) {
      tag = safeTag(node['tagName'])
      node['tagName'] = tag
      if (isOtherLink(tag, node['attributes'])) tag = 'a'
      page.tags.set(node['id'], tag)
    } else if (node['type'] === NodeType.Text && isStyle(next.parentTag)) {
      page.tags.set(node['id'], 'style')
      holdInCss(node, 'textContent', page)
    }
    const { id, attributes } = node
    if (isObject(attributes))
      node['attributes'] = safeAttributes(
        tag,
        isPreload(tag, attributes) ? heldBack(id, attributes, page) : attributes,
        page,
      )
    const { childNodes } = node
    // Most nodes have no children: no array is made for them.
    if (Array.isArray(childNodes) && childNodes.length > 0)
      for (const child of objectsIn(childNodes)) pending.push({ node: child, parentTag: tag })
  }
}

function safeTag(tag: unknown): string {
  if (typeof tag !== 'string' || !validTagName.test(tag) || replacedTags.test(tag)) return 'div'
  return /^script$/i.test(tag) ? 'noscript' : tag
}

/** Whether an element is a link to anything but a style sheet. */
function isOtherLink(tag: string, attributes: unknown): boolean {
  if (!/^link$/i.test(tag) || !isObject(attributes)) return false
  return !styleSheetRelation.test(String(attributes['rel'])) && !isPreload(tag, attributes)
}

/** Whether an element is a link to a style sheet that the page does not show, at least not yet. */
function isPreload(tag: string | undefined, { as, rel }: Record<string, unknown>): boolean {
  return /^link$/i.test(tag ?? '') && as === 'style' && !styleSheetRelation.test(String(rel))
}

/** Returns the attributes of a preloaded style sheet, or changes of these, without its address until the page shows it. */
function heldBack(id: unknown, attributes: Record<string, unknown>, { preloads }: RecordedPage) {
  const { href = preloads.get(id), ...others } = attributes
  if (!styleSheetRelation.test(String(attributes['rel']))) {
    preloads.set(id, href)
    return others
  }
  preloads.delete(id)
  return '_cssText' in attributes ? others : { ...others, href }
}

/** `tag` is undefined for an element that was not recorded. */
function safeAttributes(tag: string | undefined, attributes: Record<string, unknown>, page: RecordedPage) {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const lower = name.toLowerCase()
    if (droppedAttributes.test(lower)) continue
    if (lower === 'popover') page.uses.add('popovers')
    const [, blob] = (lower === 'src' && pictureOfBlob.exec(String(value))) || []
    if (blob !== undefined) page.placeholders.hold(blob, '', null)
    if (lower === 'rel') {
      if (typeof value === 'string' && styleSheetRelation.test(value)) kept[name] = value
    } else if (lower === 'style') kept[name] = safeStyle(value, page)
    else if (lower === '_csstext') kept[name] = safeStyle(value, page, sheetBase(attributes, page))
    else if (lower === 'media' && typeof value === 'string') kept[name] = adaptCss(value)
    else if (!urlAttributes.has(lower) || value === null || isEmbedded(value)) kept[name] = value
    else Object.assign(kept, safeReference(tag, lower, value, page))
  }
  return kept
}

/** Returns the attributes that replace one that refers to another resource. */
function safeReference(
  tag: string | undefined,
  name: string,
  value: unknown,
  { base, placeholders }: RecordedPage,
): Record<string, unknown> {
  const kind = assetAttribute(tag ?? 'img', name)
  if (typeof value === 'string' && kind === 'srcset') {
    const all = placeholders.holdInSrcset(value, base.url)
    return { [allCandidates]: all, srcset: loadableCandidates(all) }
  }
  if (typeof value === 'string' && (kind === 'image' || kind === 'stylesheet'))
    return { [name]: placeholders.hold(value, base.url, kind) + fragmentOf(value) }
  return name === 'href' ? { href: '#' } : { [notLoaded]: '' }
}

/** Puts placeholders in a `style` attribute, the text of a style sheet, or the properties of a change. */
function safeStyle(style: unknown, page: RecordedPage, base = page.base.url): unknown {
  if (typeof style === 'string') return safeCss(style, page, base)
  if (Array.isArray(style)) return style.map((part) => safeStyle(part, page, base))
  if (!isObject(style)) return style
  return Object.fromEntries(
    Object.entries(style).map(([name, value]) => [name, safeStyle(value, page, base)]),
  )
}

/** Returns the URL against which the recorded CSS of a `link` or `style` resolves. */
function sheetBase({ href }: Record<string, unknown>, { base }: RecordedPage): string {
  return typeof href === 'string' ? (assetUrl(href, base.url) ?? base.url) : base.url
}

/** Replaces the references in a part of an event that is CSS. */
function holdInCss(holder: Record<string, unknown>, key: string, page: RecordedPage): void {
  const css = holder[key]
  if (typeof css === 'string') holder[key] = safeCss(css, page)
}

function safeCss(css: string, { base, placeholders, uses }: RecordedPage, url = base.url): string {
  for (const state of usedStates) if (!uses.has(state) && stateInCss[state].test(css)) uses.add(state)
  return placeholders.holdInCss(adaptCss(css), url)
}

function isStyle(tag: string | undefined): boolean {
  return tag !== undefined && /^style$/i.test(tag)
}
