import {
  assetAttribute,
  assetUrl,
  srcsetCandidates,
  type Candidate,
} from '../../../replay/recorded/asset-url.ts'
import { cssReferences } from '../../../replay/recorded/css-references.ts'
import { PageBase, type BaseState } from '../../../replay/recorded/page-base.ts'
import { EventType, IncrementalSource, NodeType, objectsIn } from '../../../replay/recorded/rrweb.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../../snapshots/json-value.ts'
import { readSessionEvent, unpackData, type SessionEvent } from '../../snapshots/unpack-event.ts'

/** Largest number of files per recording; further files are not fetched. */
export const referencesMax = 2000

/** Largest number of windows whose base URL is followed. */
const windowsMax = 100

/** Event types and sources that can name files; other lines, which are most, are not parsed. */
const namesFiles = new RegExp(
  `"type":(?:${EventType.FullSnapshot}|${EventType.Meta})\\b|"source":(?:${[
    IncrementalSource.Mutation,
    IncrementalSource.StyleSheetRule,
    IncrementalSource.Font,
    IncrementalSource.StyleDeclaration,
    IncrementalSource.AdoptedStyleSheet,
  ].join('|')})\\b|"tag":"\\$(?:pageview|url_changed)"`,
)

/** Extensions of a changed `href`: the changed element may be a link to another page. */
const assetFile = /\.(?:svg|png|jpe?g|gif|webp|avif)$/i
/** A width (pixels) and a density that look sharp in the player. */
const widthWanted = 1280
const densityWanted = 2

/** What is known about the pages of a recording's windows after a block. */
export type Bases = Record<string, BaseState>

/** Finds the files that a recording names, in the lines of its blocks, in order. */
export class ReferenceFinder {
  readonly #pages: Map<string, PageBase>
  /** The URL against which the current references resolve. */
  #base = ''
  readonly #found = new Map<string, boolean>()
  readonly #alternatives = new Map<string, boolean>()

  constructor(bases: Bases = {}) {
    this.#pages = new Map(Object.entries(bases).map(([window, state]) => [window, new PageBase(state)]))
  }

  get bases(): Bases {
    return Object.fromEntries([...this.#pages].map(([window, page]) => [window, page.state]))
  }

  /**
   * The URL of each file, with whether it is a style sheet. Which candidate of a `srcset` the visitor saw is not
   * recorded: the best candidate comes first, and the others after all other files.
   */
  get found(): ReadonlyMap<string, boolean> {
    return new Map([...this.#found, ...this.#alternatives].slice(0, referencesMax))
  }

  /** Reads a line of a block. */
  add(line: string): void {
    const event = namesFiles.test(line) ? readSessionEvent(line) : null
    if (!event) return
    const data = unpackData(event)
    const page = this.#pages.get(event.window) ?? new PageBase()
    page.follow({ ...event, data })
    if (this.#pages.size < windowsMax) this.#pages.set(event.window, page)
    this.#base = page.url
    this.#read(event, data)
  }

  #read(event: SessionEvent, data: JsonObject): void {
    if (event.type === EventType.FullSnapshot) this.#addTree(data['node'])
    if (event.type !== EventType.IncrementalSnapshot) return
    switch (data['source']) {
      case IncrementalSource.Mutation:
        for (const { node } of objectsIn(data['adds'])) this.#addTree(node)
        for (const { attributes } of objectsIn(data['attributes'])) this.#addChanges(objectOf(attributes))
        for (const { value } of objectsIn(data['texts'])) this.#addText(value)
        break
      case IncrementalSource.StyleSheetRule:
        for (const { rule } of objectsIn(data['adds'])) this.addCss(rule)
        for (const text of [data['replace'], data['replaceSync']]) this.addCss(text)
        break
      case IncrementalSource.AdoptedStyleSheet:
        for (const { rules } of objectsIn(data['styles']))
          for (const { rule } of objectsIn(rules)) this.addCss(rule)
        break
      case IncrementalSource.StyleDeclaration:
        this.addCss(objectOf(data['set'])['value'])
        break
      case IncrementalSource.Font:
        if (data['buffer'] !== true) this.addCss(data['fontSource'])
    }
  }

  #addTree(root: unknown): void {
    const pending = [objectOf(root)]
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (node['type'] === NodeType.Text) this.#addText(node['textContent'])
      if (node['type'] === NodeType.Element)
        this.#addElement(textOf(node['tagName']), objectOf(node['attributes']))
      for (const child of listOf(node['childNodes']).toReversed()) pending.push(objectOf(child))
    }
  }

  #addElement(tag: string, attributes: JsonObject): void {
    const href = textOf(attributes['href'])
    const css = attributes['_cssText']
    if (css !== undefined)
      this.addCss(css, tag === 'link' ? (assetUrl(href, this.#base) ?? this.#base) : this.#base)
    // The page may show a preloaded style sheet later; that change names no address.
    const isShown = /\bstylesheet\b/i.test(textOf(attributes['rel'])) || attributes['as'] === 'style'
    const isStylesheet = css === undefined && isShown
    for (const [name, value] of Object.entries(attributes)) {
      const kind = assetAttribute(tag, name)
      if (kind === 'image') this.#addUrl(textOf(value))
      else if (kind === 'srcset') this.#addSrcset(textOf(value))
      else if (kind === 'css') this.addCss(value)
      else if (kind === 'stylesheet' && isStylesheet) this.#addUrl(href, { isStylesheet: true })
    }
  }

  /** Reads changed attributes of an unknown element. */
  #addChanges(attributes: JsonObject): void {
    for (const [name, value] of Object.entries(attributes)) {
      const text = textOf(value)
      if (name === 'style') for (const css of stylesOf(value)) this.addCss(css)
      else if (name === '_cssText') this.addCss(value)
      else if (name === 'srcset') this.#addSrcset(text)
      else if (name === 'src' || name === 'poster' || name === 'background') this.#addUrl(text)
      else if (name === 'href' || name === 'xlink:href') {
        const [path = ''] = text.split(/[?#]/, 1)
        if (assetFile.test(path)) this.#addUrl(text)
      }
    }
  }

  /** Reads text that may be that of a `<style>`: its parent is unknown if it was added or changed later. */
  #addText(text: unknown): void {
    if (/[{@]/.test(textOf(text))) this.addCss(text)
  }

  #addSrcset(srcset: string): void {
    const candidates = srcsetCandidates(srcset)
    const wanted = candidates.toSorted((one, other) => sharpness(one) - sharpness(other))
    const best = wanted.find((candidate) => sharpness(candidate) >= 1) ?? wanted.at(-1)
    if (best) this.#addUrl(best.reference)
    for (const { reference } of candidates) this.#addUrl(reference, { into: this.#alternatives })
  }

  /** Reads a style sheet or a part of one; `base` is the address of a style sheet that is a file. */
  addCss(css: unknown, base = this.#base): void {
    for (const { reference, isImport } of cssReferences(textOf(css)))
      this.#addUrl(reference, { base, isStylesheet: isImport })
  }

  #addUrl(reference: string, { base = this.#base, isStylesheet = false, into = this.#found } = {}): void {
    if (into.size >= referencesMax) return
    const url = assetUrl(reference, base)
    if (url !== null && !this.#found.has(url)) into.set(url, isStylesheet)
  }
}

/** Returns a candidate's size as a fraction of the wanted size. */
function sharpness({ descriptor }: Candidate): number {
  const size = Number.parseFloat(descriptor) || 1
  return size / (descriptor.endsWith('w') ? widthWanted : densityWanted)
}

/** Returns the values of a style change: CSS, or an object of declarations, each a value or `[value, priority]`. */
function stylesOf(style: unknown): unknown[] {
  if (typeof style === 'string') return [style]
  return Object.values(objectOf(style)).map((value: unknown) => (Array.isArray(value) ? value[0] : value))
}
