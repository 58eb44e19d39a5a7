import { fieldTags, namespaces } from './safe-elements.ts'

/** Properties that a still picture does not need, or that others already say. Sizes are computed, so limits do not apply. */
const skipped =
  /^-|(^|-)(block|inline)(-|$)|^(animation|transition|scroll|overscroll|view-|timeline|color-scheme|cursor$|pointer-events|user-select|touch-action|will-change|container|content-visibility|m(in|ax)-(width|height)|aspect-ratio|flex-(grow|shrink|basis)|caret|interactivity|resize|speak|orphans|widows|page|app-region|interpolate)/
/** Properties with a prefix that have no other name. */
const prefixed = new Set([
  '-webkit-text-fill-color',
  '-webkit-text-stroke-color',
  '-webkit-text-stroke-width',
  '-webkit-line-clamp',
  '-webkit-box-orient',
])
/** Properties whose initial value is the color of the text. */
const textColored =
  /^(border-\w+|outline|(column|row)-rule|text-decoration|text-emphasis|-webkit-text-(fill|stroke))-color$/
/** Inherited properties that the browser's style sheet does not set for every form field. */
const inherited =
  /^(color|font|text|line-height|letter|word|white-space|visibility|direction|list-style|quotes|hyphens|overflow-wrap|tab-size|writing-mode|border-collapse|border-spacing|caption-side|empty-cells)/
/** Properties of list markers, first letters and placeholders. */
const textStyle =
  /^(content|color|font-(family|size|style|weight)|float|line-height|text-transform|background-color|initial-letter|opacity)$|^(margin|padding)-/
/** Properties that differ between most elements, so that a class of them would have one element. */
const placed = new Set('width height top right bottom left transform-origin perspective-origin'.split(' '))

/** `shared`: declarations that several elements may have in common; `own`: those about the element's place and size. */
type Css = { shared: string; own: string }

type Styled = {
  element: Element
  style: CSSStyleDeclaration
  /** Style of the parent; null for the root. */
  parent: CSSStyleDeclaration | null
  /** The page's color scheme, which applies to elements without their own. */
  scheme: 'light' | 'dark'
  without?: RegExp | null
}

/**
 * Creates a function that returns the CSS with which an element looks in the picture as in its page. The picture resets all
 * properties of HTML elements, so that nothing is inherited; form fields keep the browser's style sheet, by which it draws them.
 */
export function createComputedCss() {
  const host = document.createElement('div')
  host.style.cssText = 'all: initial; position: absolute; visibility: hidden'
  const room = host.attachShadow({ mode: 'open' })
  document.body.append(host)
  const plain = document.createElement('div')
  plain.style.cssText = 'all: initial'
  room.append(plain)
  const initial = valuesOf(getComputedStyle(plain))
  const names = [...initial.keys()]
  const fields = new Map<string, ReadonlyMap<string, string>>()

  /** Returns the browser's own style of a form field. */
  const plainField = (element: Element, colorScheme: string) => {
    const { localName } = element
    const attributes = ['type', 'multiple', 'size', 'disabled'].filter((name) => element.hasAttribute(name))
    const key = JSON.stringify([
      localName,
      colorScheme,
      ...attributes.map((name) => element.getAttribute(name)),
    ])
    const known = fields.get(key)
    if (known) return known
    const field = document.createElement(localName)
    for (const name of attributes) field.setAttribute(name, element.getAttribute(name) ?? '')
    field.style.colorScheme = colorScheme
    room.append(field)
    const values = valuesOf(getComputedStyle(field))
    field.remove()
    fields.set(key, values)
    return values
  }

  const declarations = (style: CSSStyleDeclaration, isChanged: (name: string, value: string) => boolean) => {
    const changed = names.filter((name) => isChanged(name, style.getPropertyValue(name)))
    return changed.map((name) => `${name}:${still(name, exact(style.getPropertyValue(name)))};`).join('')
  }

  return {
    of({ element, style, parent, scheme, without = null }: Styled): Css {
      const isHtml = element.namespaceURI === namespaces.html
      const isField = isHtml && fieldTags.has(element.localName)
      const colorScheme =
        style.colorScheme === 'normal' ? scheme : usedScheme(style.colorScheme, element.ownerDocument)
      const before = isField ? plainField(element, colorScheme) : initial
      const css = { shared: colorScheme === 'light' ? '' : `color-scheme:${colorScheme};`, own: '' }
      for (const name of names) {
        const value = style.getPropertyValue(name)
        if (isUnused(name, style) || without?.test(name)) continue
        const isTextColored = !isField && textColored.test(name)
        const isInitial = value === (isTextColored ? style.color : before.get(name))
        // `all` resets every property except the direction.
        const inherits = isField ? inherited.test(name) : !isHtml || name === 'direction'
        const isSame = isInitial && (!inherits || parent?.getPropertyValue(name) === value)
        if (isSame && name !== 'color' && (isHtml || !element.hasAttribute(name))) continue
        const declared = `${name}:${still(name, exact(value))};`
        if (placed.has(name)) css.own += declared
        else css.shared += declared
      }
      if (parent?.display.endsWith('flex')) css.shared += 'flex:none;'
      return css
    },
    /** Returns the declarations of a pseudo-element, which inherits from its element. */
    ofPseudo: (style: CSSStyleDeclaration, element: CSSStyleDeclaration): string =>
      declarations(style, (name, value) => {
        const isSame = value === initial.get(name) && value === element.getPropertyValue(name)
        return !isSame && !isUnused(name, style)
      }),
    /** Returns the declarations by which a part of an element's text differs from the rest. */
    ofText: (style: CSSStyleDeclaration, element: CSSStyleDeclaration): string =>
      declarations(style, (name, value) => {
        if (!textStyle.test(name) || value === element.getPropertyValue(name)) return false
        return inherited.test(name) || value !== initial.get(name)
      }),
    close: () => host.remove(),
  }
}

function valuesOf(style: CSSStyleDeclaration): Map<string, string> {
  const names = [...style].filter((name) => prefixed.has(name) || !skipped.test(name))
  return new Map(names.map((name) => [name, style.getPropertyValue(name)]))
}

function isUnused(name: string, style: CSSStyleDeclaration): boolean {
  // The height of a table includes its caption, and its rows have their own.
  if (name === 'height') return style.display === 'table'
  if (name === 'perspective-origin') return style.perspective === 'none'
  if (name !== 'transform-origin') return false
  return style.transform === 'none' && style.rotate === 'none' && style.scale === 'none'
}

/** A picture has no scrollbars. */
function still(name: string, value: string): string {
  return name.startsWith('overflow') && /auto|scroll/.test(value) ? 'hidden' : value
}

/** Chrome places boxes at multiples of 1/64 px but prints fewer digits; a slightly smaller box could break a line. */
function exact(value: string): string {
  if (!value.includes('.') || !value.includes('px')) return value
  return value.replaceAll(/(-?\d+\.\d+)px/g, (text, number: string) => {
    const units = Number(number) * 64
    return Math.abs(units - Math.round(units)) < 0.05 ? `${Math.round(units) / 64}px` : text
  })
}

/** Returns which of the color schemes that a page supports is shown. */
export function usedScheme(schemes: string, { defaultView }: Document): 'light' | 'dark' {
  const prefersDark = defaultView?.matchMedia('(prefers-color-scheme: dark)').matches === true
  return /\bdark\b/.test(schemes) && (prefersDark || !/\blight\b/.test(schemes)) ? 'dark' : 'light'
}
