export const namespaces = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
} as const

/** Form fields, which the browser draws by its own style sheet. */
export const fieldTags = new Set('input textarea select option optgroup button progress meter'.split(' '))
/** Elements whose look does not come from CSS alone. Every other element of HTML becomes a `div`. */
const structureTags = new Set(
  'br wbr img ol ul li table caption colgroup col thead tbody tfoot tr td th fieldset legend details summary ruby rt rp'.split(
    ' ',
  ),
)
const svgTags = new Set(
  `svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol linearGradient radialGradient
  stop clipPath mask pattern filter marker image foreignObject switch feBlend feColorMatrix feComponentTransfer feComposite
  feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
  feTurbulence`.split(/\s+/),
)
const mathTags = new Set(
  `math semantics mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover
  munderover mmultiscripts mprescripts mtable mtr mtd`.split(/\s+/),
)

/** Attributes that change how an element looks, by its name. */
const htmlAttributes: Record<string, readonly string[]> = {
  img: ['alt'],
  input: ['type', 'placeholder', 'min', 'max', 'step', 'multiple', 'disabled'],
  textarea: ['placeholder', 'disabled'],
  button: ['disabled'],
  select: ['multiple', 'size', 'disabled'],
  option: ['label', 'disabled'],
  optgroup: ['label', 'disabled'],
  progress: ['value', 'max'],
  meter: ['value', 'min', 'max', 'low', 'high', 'optimum'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  col: ['span'],
  colgroup: ['span'],
  ol: ['start', 'reversed'],
  li: ['value'],
  details: ['open'],
}

/** Returns the name and namespace of the element that shows a recorded one; null if the picture leaves it out. */
export function safeElement({ namespaceURI, localName }: Element): { namespace: string; tag: string } | null {
  switch (namespaceURI) {
    case namespaces.svg:
      // A link, which a picture does not have, groups its content.
      if (localName === 'a') return { namespace: namespaces.svg, tag: 'g' }
      return svgTags.has(localName) ? { namespace: namespaces.svg, tag: localName } : null
    case namespaces.math:
      return { namespace: namespaces.math, tag: mathTags.has(localName) ? localName : 'mrow' }
    default: {
      // A field named "localName" hides the name of its form.
      const isKept = fieldTags.has(localName) || structureTags.has(localName)
      return { namespace: namespaces.html, tag: isKept ? localName : 'div' }
    }
  }
}

/** Returns the attributes of a recorded element that its picture keeps; none of them runs or loads anything. */
export function safeAttributes(element: Element, tag: string): [name: string, value: string][] {
  if (element.namespaceURI === namespaces.html)
    return (htmlAttributes[tag] ?? []).flatMap((name) => {
      const value = element.getAttribute(name)
      return value === null ? [] : [[name, value]]
    })
  return [...element.attributes].flatMap(({ name, localName, value }) =>
    isSafe(name, localName, value) ? [[localName, value]] : [],
  )
}

function isSafe(name: string, localName: string, value: string): boolean {
  if (/^(on|data-|xmlns|style$|class$|src|base)/i.test(localName) || !/^[\w-]+$/.test(localName)) return false
  if (localName === 'href') return value.startsWith('#')
  if (name.includes(':')) return false
  return !/(url|src|image)(-set)?\s*\(|\\/i.test(value) || /^url\(["']?#[\w.:-]+["']?\)$/i.test(value)
}

/** Returns a text without the characters that XML does not allow. */
export function xmlText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
