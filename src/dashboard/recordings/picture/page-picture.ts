import type { Size } from '../../../replay/recorded/rrweb.ts'
import { createComputedCss } from './computed-css.ts'
import { createEmbeddedFiles, fontFaces } from './embedded-files.ts'
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
  const css = createComputedCss()
  const files = createEmbeddedFiles()
  const output = document.implementation.createDocument(namespaces.svg, 'svg')
  const classes = new Map<string, string>()
  const images: { element: Element; attribute: string; url: string }[] = []
  const fonts: string[] = []

  const create = (tag: string, into: Element, namespace: string = namespaces.html): Element => {
    const element = output.createElementNS(namespace, tag)
    into.append(element)
    return element
  }
  /** Adds the class of a rule; `pseudo` is the name of a pseudo-element. */
  const addRule = (element: Element, declarations: string, pseudo = '') => {
    if (declarations === '') return
    const key = `${pseudo}{${declarations}}`
    const name = classes.get(key) ?? `c${classes.size}`
    if (!classes.has(key)) files.addOf(declarations)
    classes.set(key, name)
    element.setAttribute('class', [element.getAttribute('class') ?? '', name].join(' ').trim())
  }
  const addImage = (element: Element, url: string, attribute = 'src') => {
    images.push({ element, attribute, url })
    files.add(url)
  }

  const drawDocument = (page: Document, into: Element, { width, height }: Size, isNested: boolean) => {
    const view = page.defaultView
    const root = page.documentElement as Element | null
    if (!view || !root) return
    const style = view.getComputedStyle(root)
    const scheme = colorSchemeOf(page, style)
    const backdrop = isNested && scheme === 'light' ? 'transparent' : 'Canvas'
    const canvas = `color-scheme:${scheme};background-color:${backdrop};`
    const shown = create('div', into)
    shown.setAttribute('style', `${clippedBox}${canvas}width:${width}px;height:${height}px`)
    const scrolled = create('div', shown)
    const tall = Math.max(height, root.scrollHeight)
    scrolled.setAttribute(
      'style',
      `display:flow-root;position:relative;left:${-view.scrollX}px;top:${-view.scrollY}px;width:${width}px;height:${tall}px`,
    )
    const { source, declarations } = canvasBackground(page, view)
    addRule(scrolled, declarations)
    const tops: Element[] = []
    draw(root, { into: scrolled, style: null, view }, { tops, canvas: source, scheme })
    for (const element of tops) {
      addRule(create('div', shown), css.ofPseudo(view.getComputedStyle(element, '::backdrop'), style))
      draw(element, { into: shown, style, view }, { tops: null, canvas: source, scheme })
    }
    fonts.push(...fontFaces(page))
  }

  /** `tops` receives the elements in the top layer; `canvas` is the element whose background covers the window. */
  type Page = { tops: Element[] | null; canvas: Element | null; scheme: 'light' | 'dark' }

  const draw = (node: Node, parent: Parent, page: Page): void => {
    if (node.nodeType === Node.TEXT_NODE) parent.into.append(xmlText((node as Text).data))
    else if (node.nodeType === Node.ELEMENT_NODE) drawElement(node as Element, parent, page)
  }
  const drawElement = (element: Element, parent: Parent, page: Page) => {
    const { view } = parent
    const style = view.getComputedStyle(element)
    const safe = safeElement(element)
    if (!safe || (style.display === 'none' && safe.namespace !== namespaces.svg)) return
    if (page.tops && element.nodeName === 'DIALOG' && element.matches(':modal')) {
      page.tops.push(element)
      return
    }
    const tag = pictureTags.has(element.nodeName) ? 'img' : safe.tag
    const drawn = create(tag, parent.into, safe.namespace)
    const without = element === page.canvas ? background : null
    const { shared, own } = css.of({ element, style, parent: parent.style, scheme: page.scheme, without })
    addRule(drawn, shared)
    for (const [name, value] of safeAttributes(element, tag)) drawn.setAttribute(name, xmlText(value))
    const isBox = replacedTags.has(element.nodeName) && style.display === 'inline'
    const place = own + withoutStickiness(element, style) + (isBox ? 'display:inline-block;' : '')
    drawn.setAttribute('style', place)
    if (tag === 'image')
      addImage(drawn, element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '', 'href')
    drawState(element, drawn)
    const next: Parent = { into: drawn, style, view }
    if (element.nodeName === 'IFRAME') return drawFrame(element as HTMLIFrameElement, drawn)
    if (element.nodeName === 'VIDEO') return drawPoster(element as HTMLVideoElement, drawn)
    if (tag === 'img') return addImage(drawn, pictureOf(element, style))
    if (tag === 'textarea') return drawn.append(xmlText((element as HTMLTextAreaElement).value))
    addPseudo(element, drawn, next)
    const scroll = scrollOf(element, style)
    if (scroll) {
      const moved = create('div', drawn)
      addRule(moved, shared)
      moved.setAttribute('style', own + plainBox + scroll.inner)
      drawn.setAttribute('style', place + scroll.outer)
      next.into = moved
    }
    for (const child of childrenOf(element)) draw(child, next, page)
  }
  const drawFrame = (frame: HTMLIFrameElement, drawn: Element) => {
    const { contentDocument: page, clientWidth: width, clientHeight: height } = frame
    if (page) drawDocument(page, drawn, { width, height }, true)
  }
  const drawPoster = ({ poster }: HTMLVideoElement, drawn: Element) => {
    if (poster === '') return
    const image = create('img', drawn)
    image.setAttribute('style', 'display:block;width:100%;height:100%;object-fit:contain')
    addImage(image, poster)
  }
  const addPseudo = (element: Element, drawn: Element, { style, view }: Parent) => {
    if (!style) return
    for (const name of ['::before', '::after']) {
      const pseudo = view.getComputedStyle(element, name)
      if (!/^(none|normal|)$/.test(pseudo.content)) addRule(drawn, css.ofPseudo(pseudo, style), name)
    }
    if (style.display === 'list-item')
      addRule(drawn, css.ofText(view.getComputedStyle(element, '::marker'), style), '::marker')
    const letter = css.ofText(view.getComputedStyle(element, '::first-letter'), style)
    if (letter !== '') addRule(drawn, letter, '::first-letter')
    if (drawn.hasAttribute('placeholder'))
      addRule(drawn, css.ofText(view.getComputedStyle(element, '::placeholder'), style), '::placeholder')
  }

  try {
    const page = frame.contentDocument
    if (!page) throw new Error('The frame shows no page.')
    const size = { width: frame.clientWidth, height: frame.clientHeight }
    const svg = output.documentElement
    const { width, height } = size
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      svg.setAttribute(name, String(value))
    svg.setAttribute('style', 'color-scheme:light')
    create('title', svg, namespaces.svg).append(xmlText(title))
    const sheet = create('style', svg, namespaces.svg)
    const foreign = create('foreignObject', svg, namespaces.svg)
    foreign.setAttribute('width', String(width))
    foreign.setAttribute('height', String(height))
    const root = create('div', foreign)
    root.setAttribute('class', 'page')
    drawDocument(page, root, size, false)
    for (const font of fonts) files.addOf(font)
    await files.load()
    for (const { element, attribute, url } of images) element.setAttribute(attribute, files.of(url))
    const rules = Array.from(classes, ([key, name]) => {
      const brace = key.indexOf('{')
      return `.${name}${key.slice(0, brace)}${files.inCss(key.slice(brace))}`
    })
    sheet.append(xmlText([resetRule, ...fonts.map(files.inCss), ...rules].join('\n')))
    return new XMLSerializer().serializeToString(output)
  } finally {
    css.close()
  }
}

function colorSchemeOf(page: Document, { colorScheme }: CSSStyleDeclaration): 'light' | 'dark' {
  const meta = page.querySelector('meta[name="color-scheme"]')?.getAttribute('content')
  return (colorScheme === 'normal' ? meta : colorScheme)?.trim() === 'dark' ? 'dark' : 'light'
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

/** CSS of the two boxes that show a scrolled element: the outer clips, the inner is moved. */
type ScrolledBoxes = { outer: string; inner: string }

/** Returns the boxes of an element that is scrolled; null for all others. The page's own scroll position is not meant. */
function scrollOf(element: Element, style: CSSStyleDeclaration): ScrolledBoxes | null {
  const { scrollTop, scrollLeft, clientWidth, clientHeight, ownerDocument } = element
  if (!scrollTop && !scrollLeft) return null
  if (element === ownerDocument.scrollingElement || !/auto|scroll|hidden/.test(style.overflow)) return null
  // A field named "scrollTop" hides the property of its form.
  if (typeof scrollTop !== 'number' || typeof scrollLeft !== 'number') return null
  const isInline = style.display.startsWith('inline')
  const inner = [
    `position:${style.position === 'static' ? 'static' : 'relative'}`,
    `display:${innerDisplay(style.display)}`,
    `margin:${-scrollTop}px 0 0 ${-scrollLeft}px`,
    `width:${clientWidth}px`,
    `height:${clientHeight}px`,
  ]
  return { outer: `padding:0;display:${isInline ? 'inline-block' : 'block'};`, inner: inner.join(';') }
}

/** Returns how a box lays out its content. */
function innerDisplay(display: string): string {
  const [, layout] = /(flex|grid)$/.exec(display) ?? []
  return layout ?? 'flow-root'
}

/** Returns CSS that places a sticky element where it is now, since nothing scrolls in a picture; empty for other elements. */
function withoutStickiness(element: Element, { position }: CSSStyleDeclaration): string {
  if (position !== 'sticky' || !('style' in element)) return ''
  const before = element.getBoundingClientRect()
  const recorded = element.getAttribute('style')
  const style = element.style as CSSStyleDeclaration
  style.setProperty('position', 'relative', 'important')
  style.setProperty('inset', 'auto', 'important')
  const after = element.getBoundingClientRect()
  if (recorded === null) element.removeAttribute('style')
  else element.setAttribute('style', recorded)
  const [left, top] = [before.left - after.left, before.top - after.top]
  return `position:relative;inset:auto;left:${left}px;top:${top}px;`
}
