import { rewriteCss } from '../../../replay/recorded/css-references.ts'

/** Returns the `@font-face` rules whose fonts a page has loaded, with absolute URLs. */
export function fontFaces(page: Document): string[] {
  const loaded = new Set([...page.fonts].filter(({ status }) => status === 'loaded').map(keyOf))
  const roots = [page, ...shadowRootsIn(page)]
  const sheets = roots.flatMap((root) => [...root.styleSheets, ...root.adoptedStyleSheets])
  return sheets.flatMap((sheet) => facesIn(sheet, page.baseURI, loaded))
}

function facesIn(sheet: CSSStyleSheet, base: string, loaded: ReadonlySet<string>): string[] {
  const url = URL.canParse(sheet.href ?? '') ? String(sheet.href) : base
  return [...sheet.cssRules].flatMap((rule) => facesOf(rule, url, loaded))
}

function facesOf(rule: CSSRule, base: string, loaded: ReadonlySet<string>): string[] {
  if ('styleSheet' in rule)
    return rule.styleSheet ? facesIn(rule.styleSheet as CSSStyleSheet, base, loaded) : []
  // Frames have their own constructors, so `instanceof` does not recognise their rules.
  if (rule.cssText.startsWith('@font-face')) {
    const { style } = rule as CSSFontFaceRule
    const [family, weight, range] = ['font-family', 'font-weight', 'unicode-range'].map((name) =>
      style.getPropertyValue(name),
    )
    const key = keyOf({
      family: family ?? '',
      weight: weight || 'normal',
      style: style.getPropertyValue('font-style') || 'normal',
      unicodeRange: range || 'U+0-10FFFF',
    })
    if (!loaded.has(key)) return []
    const absolute = (reference: string) =>
      URL.canParse(reference, base) ? new URL(reference, base).href : null
    return [rewriteCss(rule.cssText, absolute)]
  }
  if (!('cssRules' in rule)) return []
  return [...(rule.cssRules as CSSRuleList)].flatMap((inner) => facesOf(inner, base, loaded))
}

function keyOf({
  family,
  weight,
  style,
  unicodeRange,
}: Pick<FontFace, 'family' | 'weight' | 'style' | 'unicodeRange'>): string {
  return [family.replaceAll(/["']/g, ''), weight, style, unicodeRange].join('|').toLowerCase()
}

function shadowRootsIn(root: ParentNode): ShadowRoot[] {
  return [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot && 'adoptedStyleSheets' in shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
  )
}
