import type { Size } from '../../../replay/recorded/rrweb.ts'
import { createComputedCss, usedScheme } from './computed-css.ts'
import { createEmbeddedFiles, fontFaces } from './embedded-files.ts'
import { scrollOf, withoutStickiness } from './scroll-positions.ts'
import { fieldTags, namespaces, safeAttributes, safeElement, xmlText } from './safe-elements.ts'

const clippedBox = 'position:relative;display:block;overflow:hidden;contain:layout;'
/** Makes a box that only moves what it contains. */
const plainBox =
  'box-sizing:border-box;border:0;background:none;box-shadow:none;outline:0;overflow:visible;float:none;inset:auto;transform:none;translate:none;rotate:none;scale:none;opacity:1;filter:none;clip-path:none;mask:none;'
/** Elements that a box of their size replaces. */
const replacedTags = new Set(['IFRAME', 'VIDEO', 'AUDIO'])
/** Elements that show one picture. */
const pictureTags = new Set(['IMG', 'CANVAS'])
const background = /^background-/
/** Fields keep the browser's style sheet, and images of SVG their attributes. */
const resetRule = `@namespace h "${namespaces.html}"; :where(.page, .page h|*:not(${[...fieldTags].join()})) { all: initial }`

type Parent = {
  /** Element of the picture. */
  into: Element
  /** Style of the recorded element. */
  style: CSSStyleDeclaration | null
  view: Window & typeof globalThis
}

/**
 * Returns the page in a frame as an SVG that shows it as it looks now, at its size. The SVG contains its images and fonts, runs
 * no scripts and refers to nothing outside: it consists of known elements and attributes, and of computed styles.
 */
export async function pageAsSvg(frame: HTMLIFrameElement, title: string): Promise<string> {
  const picture = new PagePicture()
  try {
    return await picture.draw(frame, title)
  } finally {
    picture.close()
  }
}

/** `tops` collects the elements in the top layer, which are drawn after the page; `canvas` is the element whose background covers the window. */
type DrawnPage = { tops: Element[]; canvas: Element | null; scheme: 'light' | 'dark' }

class PagePicture {
  readonly #css = createComputedCss()
  readonly #files = createEmbeddedFiles()
  readonly #output = document.implementation.createDocument(namespaces.svg, 'svg')
  readonly #classes = new Map<string, string>()
  readonly #images: { element: Element; attribute: string; url: string }[] = []
  readonly #fonts: string[] = []

  async draw(frame: HTMLIFrameElement, title: string): Promise<string> {
    const page = frame.contentDocument
    if (!page) throw new Error('The frame shows no page.')
    const { clientWidth: width, clientHeight: height } = frame
    const svg = this.#output.documentElement
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      svg.setAttribute(name, String(value))
    svg.setAttribute('style', 'color-scheme:light')
    this.#create('title', svg, namespaces.svg).append(xmlText(title))
    const sheet = this.#create('style', svg, namespaces.svg)
    const foreign = this.#create('foreignObject', svg, namespaces.svg)
    foreign.setAttribute('width', String(width))
    foreign.setAttribute('height', String(height))
    const root = this.#create('div', foreign)
    root.setAttribute('class', 'page')
    this.#drawDocument(page, root, { width, height }, false)
    for (const font of this.#fonts) this.#files.addOf(font)
    await this.#files.load()
    for (const { element, attribute, url } of this.#images)
      element.setAttribute(attribute, this.#files.of(url))
    sheet.append(xmlText([resetRule, ...this.#fonts.map(this.#files.inCss), ...this.#rules()].join('\n')))
    return new XMLSerializer().serializeToString(this.#output)
  }

  close(): void {
    this.#css.close()
  }

  #rules(): string[] {
    return Array.from(this.#classes, ([key, name]) => {
      const brace = key.indexOf('{')
      return `.${name}${key.slice(0, brace)}${this.#files.inCss(key.slice(brace))}`
    })
  }

  #create(tag: string, into: Element, namespace: string = namespaces.html): Element {
    const element = this.#output.createElementNS(namespace, tag)
    into.append(element)
    return element
  }

  /** Adds the class of a rule; `pseudo` is the name of a pseudo-element. */
  #addRule(element: Element, declarations: string, pseudo = ''): void {
    if (declarations === '') return
    const key = `${pseudo}{${declarations}}`
    const name = this.#classes.get(key) ?? `c${this.#classes.size}`
    if (!this.#classes.has(key)) this.#files.addOf(declarations)
    this.#classes.set(key, name)
    element.setAttribute('class', [element.getAttribute('class') ?? '', name].join(' ').trim())
  }

  #addImage(element: Element, url: string, attribute = 'src'): void {
    this.#images.push({ element, attribute, url })
    this.#files.add(url)
  }

  #drawDocument(page: Document, into: Element, { width, height }: Size, isNested: boolean): void {
    const view = page.defaultView
    const root = page.documentElement as Element | null
    if (!view || !root) return
    const style = view.getComputedStyle(root)
    const scheme = colorSchemeOf(page, style)
    const backdrop = isNested && scheme === 'light' ? 'transparent' : 'Canvas'
    const canvas = `color-scheme:${scheme};background-color:${backdrop};`
    const shown = this.#create('div', into)
    shown.setAttribute('style', `${clippedBox}${canvas}width:${width}px;height:${height}px`)
    const scrolled = this.#create('div', shown)
    const tall = Math.max(height, root.scrollHeight)
    scrolled.setAttribute(
      'style',
      `display:flow-root;position:relative;isolation:isolate;left:${-view.scrollX}px;top:${-view.scrollY}px;width:${width}px;height:${tall}px`,
    )
    const { source, declarations } = canvasBackground(page, view)
    this.#addRule(scrolled, declarations)
    const drawn: DrawnPage = { tops: [], canvas: source, scheme }
    this.#drawNode(root, { into: scrolled, style: null, view }, drawn)
    // Each can add those that it contains.
    for (const element of drawn.tops) {
      this.#addRule(
        this.#create('div', shown),
        this.#css.ofPseudo(view.getComputedStyle(element, '::backdrop'), style),
      )
      this.#drawNode(element, { into: shown, style, view }, drawn)
    }
    this.#fonts.push(...fontFaces(page))
  }

  #drawElement(element: Element, parent: Parent, page: DrawnPage): void {
    const { view } = parent
    const style = view.getComputedStyle(element)
    const safe = safeElement(element)
    if (!safe || (style.display === 'none' && safe.namespace !== namespaces.svg)) return
    const isTop = element.matches(':modal, :popover-open')
    if (isTop && !page.tops.includes(element)) {
      page.tops.push(element)
      return
    }
    const tag = pictureTags.has(element.nodeName) ? 'img' : safe.tag
    const drawn = this.#create(tag, parent.into, safe.namespace)
    const without = element === page.canvas ? background : null
    const { shared, own } = this.#css.of({
      element,
      style,
      parent: parent.style,
      scheme: page.scheme,
      without,
    })
    this.#addRule(drawn, shared)
    for (const [name, value] of safeAttributes(element, tag)) drawn.setAttribute(name, xmlText(value))
    const isBox = replacedTags.has(element.nodeName) && style.display === 'inline'
    const layer = isTop ? 'z-index:auto;' : ''
    const place = own + withoutStickiness(element, style) + (isBox ? 'display:inline-block;' : '') + layer
    drawn.setAttribute('style', place)
    if (tag === 'image')
      this.#addImage(drawn, element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '', 'href')
    drawState(element, drawn)
    const next: Parent = { into: drawn, style, view }
    if (element.nodeName === 'IFRAME') return this.#drawFrame(element as HTMLIFrameElement, drawn)
    if (element.nodeName === 'VIDEO') return this.#drawPoster(element as HTMLVideoElement, drawn)
    if (tag === 'img') return this.#addImage(drawn, pictureOf(element, style))
    if (tag === 'textarea') return drawn.append(xmlText((element as HTMLTextAreaElement).value))
    this.#addPseudo(element, drawn, next)
    const scroll = scrollOf(element, style)
    if (scroll) {
      const moved = this.#create('div', drawn)
      this.#addRule(moved, shared)
      moved.setAttribute('style', own + plainBox + scroll.inner)
      drawn.setAttribute('style', place + scroll.outer)
      next.into = moved
    }
    for (const child of childrenOf(element)) this.#drawNode(child, next, page)
  }

  #drawFrame(frame: HTMLIFrameElement, drawn: Element): void {
    const { contentDocument: page, clientWidth: width, clientHeight: height } = frame
    if (page) this.#drawDocument(page, drawn, { width, height }, true)
  }

  #drawPoster({ poster }: HTMLVideoElement, drawn: Element): void {
    if (poster === '') return
    const image = this.#create('img', drawn)
    image.setAttribute('style', 'display:block;width:100%;height:100%;object-fit:contain')
    this.#addImage(image, poster)
  }

  #addPseudo(element: Element, drawn: Element, { style, view }: Parent): void {
    if (!style) return
    for (const name of ['::before', '::after']) {
      const pseudo = view.getComputedStyle(element, name)
      if (!/^(none|normal|)$/.test(pseudo.content))
        this.#addRule(drawn, this.#css.ofPseudo(pseudo, style), name)
    }
    if (style.display === 'list-item')
      this.#addRule(drawn, this.#css.ofText(view.getComputedStyle(element, '::marker'), style), '::marker')
    const letter = this.#css.ofText(view.getComputedStyle(element, '::first-letter'), style)
    if (letter !== '') this.#addRule(drawn, letter, '::first-letter')
    if (drawn.hasAttribute('placeholder'))
      this.#addRule(
        drawn,
        this.#css.ofText(view.getComputedStyle(element, '::placeholder'), style),
        '::placeholder',
      )
  }

  #drawNode(node: Node, parent: Parent, page: DrawnPage): void {
    if (node.nodeType === Node.TEXT_NODE) parent.into.append(xmlText((node as Text).data))
    else if (node.nodeType === Node.ELEMENT_NODE) this.#drawElement(node as Element, parent, page)
  }
}

function colorSchemeOf(page: Document, { colorScheme }: CSSStyleDeclaration): 'light' | 'dark' {
  const meta = page.querySelector('meta[name="color-scheme"]')?.getAttribute('content')
  return usedScheme((colorScheme === 'normal' ? meta : colorScheme) ?? '', page)
}

/** Returns the background that covers the window, and the element that has it. */
function canvasBackground(page: Document, view: Window): { source: Element | null; declarations: string } {
  for (const source of [page.documentElement, page.body]) {
    const style = source && view.getComputedStyle(source)
    if (!style) continue
    if (style.backgroundImage === 'none' && style.backgroundColor === 'rgba(0, 0, 0, 0)') continue
    const names = [...style].filter((name) => background.test(name))
    return { source, declarations: names.map((name) => `${name}:${style.getPropertyValue(name)};`).join('') }
  }
  return { source: null, declarations: '' }
}

/** Sets what a visitor entered, which is not in the attributes. */
function drawState(element: Element, drawn: Element): void {
  const { nodeName } = element
  if (nodeName === 'INPUT') {
    const { value, checked, type } = element as HTMLInputElement
    // A button without a value has the browser's label.
    if (type !== 'file' && (value !== '' || element.hasAttribute('value')))
      drawn.setAttribute('value', xmlText(value))
    if (checked) drawn.setAttribute('checked', '')
  }
  if (nodeName === 'OPTION' && (element as HTMLOptionElement).selected) drawn.setAttribute('selected', '')
}

/** Returns the URL of the picture that an element shows. */
function pictureOf(element: Element, { content }: CSSStyleDeclaration): string {
  // The player shows the frames of a canvas in this way.
  const [, url] = /^url\("(.*)"\)$/.exec(content) ?? []
  if (url !== undefined) return url
  return element.nodeName === 'IMG' ? (element as HTMLImageElement).currentSrc : ''
}

// A field named "childNodes" hides the property of its form.
const childNodes = Object.getOwnPropertyDescriptor(Node.prototype, 'childNodes')?.get

/** Returns the nodes that an element shows: those of its shadow root, or those of a slot. */
function childrenOf(element: Element): Iterable<Node> {
  const { shadowRoot } = element
  if (shadowRoot?.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return shadowRoot.childNodes
  if (element.nodeName === 'SLOT') {
    const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true })
    if (assigned.length > 0) return assigned
  }
  return childNodes?.call(element) as NodeListOf<ChildNode>
}
