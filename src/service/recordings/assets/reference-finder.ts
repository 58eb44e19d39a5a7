import { assetAttribute, assetUrl, srcsetCandidates, type Candidate } from '../../../contract/asset-url.ts'
import { cssReferences } from '../../../contract/css-references.ts'
import { EventType, IncrementalSource, NodeType, objectsIn } from '../../../contract/rrweb.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../summary/json-value.ts'
import { readSessionEvent, unpackData, type SessionEvent } from '../summary/unpack-event.ts'

/** Largest number of files per recording; further files are not fetched. */
export const referencesMax = 2000

/** Largest number of windows whose base URL is kept between blocks, and longest base URL (characters). */
const windowsMax = 100
const baseLengthMax = 4096

/** Event types and sources that can name files; other lines, which are most, are not parsed. */
const namesFiles = new RegExp(
  `"type":(?:${EventType.FullSnapshot}|${EventType.Meta})\\b|"source":(?:${[
    IncrementalSource.Mutation,
    IncrementalSource.StyleSheetRule,
    IncrementalSource.Font,
    IncrementalSource.StyleDeclaration,
    IncrementalSource.AdoptedStyleSheet,
  ].join('|')})\\b`,
)

/** Extensions of a changed `href`: the changed element may be a link to another page. */
const assetFile = /\.(?:svg|png|jpe?g|gif|webp|avif)$/i
/** A width (pixels) and a density that look sharp in the player. */
const widthWanted = 1280
const densityWanted = 2

/** Finds the files that a recording names, in the lines of its blocks, in order. */
export class ReferenceFinder {
  /** The URL against which references resolve, by window. */
  readonly bases: Map<string, string>
  #base = ''
  readonly #found = new Map<string, boolean>()
  readonly #alternatives = new Map<string, boolean>()

  constructor(bases: Record<string, string> = {}) {
    this.bases = new Map(Object.entries(bases))
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
    this.#base = this.bases.get(event.window) ?? ''
    this.#read(event, unpackData(event))
    const isBounded = this.#base.length <= baseLengthMax && this.bases.size < windowsMax
    if (this.#base !== '' && isBounded) this.bases.set(event.window, this.#base)
  }

  /** Reads a style sheet that is a file at `base`. */
  addStylesheet(css: string, base: string): void {
    this.#addCss(css, base)
  }

  #read(event: SessionEvent, data: JsonObject): void {
    if (event.type === EventType.Meta) this.#base = plainUrl(textOf(data['href']))
    if (event.type === EventType.FullSnapshot) this.#addTree(data['node'])
    if (event.type !== EventType.IncrementalSnapshot) return
    switch (data['source']) {
      case IncrementalSource.Mutation:
        for (const { node } of objectsIn(data['adds'])) this.#addTree(node)
        for (const { attributes } of objectsIn(data['attributes'])) this.#addChanges(objectOf(attributes))
        for (const { value } of objectsIn(data['texts'])) this.#addText(value)
        break
      case IncrementalSource.StyleSheetRule:
        for (const { rule } of objectsIn(data['adds'])) this.#addCss(rule)
        for (const text of [data['replace'], data['replaceSync']]) this.#addCss(text)
        break
      case IncrementalSource.AdoptedStyleSheet:
        for (const { rules } of objectsIn(data['styles']))
          for (const { rule } of objectsIn(rules)) this.#addCss(rule)
        break
      case IncrementalSource.StyleDeclaration:
        this.#addCss(objectOf(data['set'])['value'])
        break
      case IncrementalSource.Font:
        if (data['buffer'] !== true) this.#addCss(data['fontSource'])
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
    // The element precedes those whose references it changes.
    if (tag === 'base') this.#base = assetUrl(href, this.#base) ?? this.#base
    const css = attributes['_cssText']
    if (css !== undefined)
      this.#addCss(css, tag === 'link' ? (assetUrl(href, this.#base) ?? this.#base) : this.#base)
    const isStylesheet = css === undefined && /\bstylesheet\b/i.test(textOf(attributes['rel']))
    for (const [name, value] of Object.entries(attributes)) {
      const kind = assetAttribute(tag, name)
      if (kind === 'image') this.#addUrl(textOf(value))
      else if (kind === 'srcset') this.#addSrcset(textOf(value))
      else if (kind === 'css') this.#addCss(value)
      else if (kind === 'stylesheet' && isStylesheet) this.#addUrl(href, { isStylesheet: true })
    }
  }

  /** Reads changed attributes of an unknown element. */
  #addChanges(attributes: JsonObject): void {
    for (const [name, value] of Object.entries(attributes)) {
      const text = textOf(value)
      if (name === 'style') for (const css of stylesOf(value)) this.#addCss(css)
      else if (name === '_cssText') this.#addCss(value)
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
    if (/[{@]/.test(textOf(text))) this.#addCss(text)
  }

  #addSrcset(srcset: string): void {
    const candidates = srcsetCandidates(srcset)
    const wanted = candidates.toSorted((one, other) => sharpness(one) - sharpness(other))
    const best = wanted.find((candidate) => sharpness(candidate) >= 1) ?? wanted.at(-1)
    if (best) this.#addUrl(best.reference)
    for (const { reference } of candidates) this.#addUrl(reference, { into: this.#alternatives })
  }

  #addCss(css: unknown, base = this.#base): void {
    for (const { reference, isImport } of cssReferences(textOf(css)))
      this.#addUrl(reference, { base, isStylesheet: isImport })
  }

  #addUrl(reference: string, { base = this.#base, isStylesheet = false, into = this.#found } = {}): void {
    if (into.size >= referencesMax) return
    const url = assetUrl(reference, base)
    if (url !== null && !this.#found.has(url)) into.set(url, isStylesheet)
  }
}

/** Returns a URL without characters that the store cannot hold; "" if the text is not a URL. */
function plainUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).href : ''
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
