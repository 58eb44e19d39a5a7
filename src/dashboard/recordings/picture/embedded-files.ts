import { rewriteCss } from '../../../replay/recorded/css-references.ts'
import { assetPathStart } from '../../../contract/recordings/recorded-asset.ts'

/** Stands for a file that is missing. */
const nothing = 'data:,'

/** Creates a list of the files that a picture shows; each is read once. */
export function createEmbeddedFiles() {
  const files = new Map<string, Promise<string>>()
  const dataUrls = new Map<string, string>()
  const add = (url: string) => {
    if (!files.has(url)) files.set(url, dataUrl(url))
  }
  return {
    add,
    /** Adds the files to which CSS refers. */
    addOf(css: string) {
      rewriteCss(css, (url) => {
        add(url)
        return null
      })
    },
    async load(): Promise<void> {
      for (const [url, file] of files) dataUrls.set(url, await file)
    },
    /** Returns the `data:` URL of a file that has been loaded. */
    of: (url: string) => dataUrls.get(url) ?? nothing,
    /** Returns CSS that contains its files. */
    inCss: (css: string) =>
      rewriteCss(css, (url) => (url.startsWith('#') ? null : (dataUrls.get(url) ?? nothing))),
  }
}

/** Returns the file at a URL as a `data:` URL; an empty one if the recording does not contain the file. */
async function dataUrl(url: string): Promise<string> {
  try {
    if (/^data:(image|font|application\/(x-)?font)/i.test(url)) return url
    if (url.startsWith(`blob:${location.origin}/`)) return await picture(url)
    return url.startsWith(location.origin + assetPathStart) ? await file(url) : nothing
  } catch {
    // The player would not show the file either.
    return nothing
  }
}

async function file(url: string): Promise<string> {
  const response = await fetch(url)
  const content = await response.blob()
  if (!response.ok || !/^(image|font)\//.test(content.type)) return nothing
  const bytes = new Uint8Array(await content.arrayBuffer())
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return `data:${content.type.split(';')[0]};base64,${btoa(text)}`
}

/** Draws the picture at a `blob:` URL, which the policy of the player does not let it fetch. */
async function picture(url: string): Promise<string> {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return canvas.toDataURL()
}

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
    const key = keyOf({
      family: style.getPropertyValue('font-family'),
      weight: style.getPropertyValue('font-weight') || 'normal',
      style: style.getPropertyValue('font-style') || 'normal',
      unicodeRange: style.getPropertyValue('unicode-range') || 'U+0-10FFFF',
    })
    if (!loaded.has(key)) return []
    const absolute = (reference: string) =>
      URL.canParse(reference, base) ? new URL(reference, base).href : null
    return [rewriteCss(rule.cssText, absolute)]
  }
  if (!('cssRules' in rule)) return []
  return [...(rule.cssRules as CSSRuleList)].flatMap((inner) => facesOf(inner, base, loaded))
}

type Font = Pick<FontFace, 'family' | 'weight' | 'style' | 'unicodeRange'>

function keyOf({ family, weight, style, unicodeRange }: Font): string {
  return [family.replaceAll(/["']/g, ''), weight, style, unicodeRange].join('|').toLowerCase()
}

function shadowRootsIn(root: ParentNode): ShadowRoot[] {
  return [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot && 'adoptedStyleSheets' in shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
  )
}
