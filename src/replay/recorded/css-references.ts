import { fragmentOf } from './asset-url.ts'

/*
 * Finds the references in CSS. The vault fetches these files and the player shows them, so both must find the same ones.
 * No pattern below can fail after it has read many characters, so hostile CSS is read in linear time.
 */

const escaped = String.raw`\\(?:[\da-f]{1,6}(?:\r\n|\s)?|[^\n\da-f])`
const name = String.raw`(?:[\w\u0080-\uffff-]+|${escaped})+`
const string = String.raw`"(?:[^"\\\n]+|\\[^])*"?|'(?:[^'\\\n]+|\\[^])*'?`
/** A comment, a string, a name with its `(`, or a character that groups others. */
const cssToken = new RegExp(String.raw`/\*[^]*?(?:\*/|$)|(${string})|([@#]?${name})(\()?|[()[\]{};]`, 'gi')
/** What follows `url(`, unless it is a string. */
const unquoted = new RegExp(String.raw`\s*(?!["'\s])((?:[^\s"'()\\]+|${escaped})*)\s*`, 'iy')

/** Functions in which a string is a reference. */
const referring = new Set(['url(', 'image-set(', '-webkit-image-set('])
const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

export type CssReference = { reference: string; isImport: boolean }
/** A reference with its place in the CSS: a string, which may be inside a `url()`, or an unquoted `url()`. */
type Placed = CssReference & { start: number; end: number; isInUrl: boolean }

/** Lists the references in CSS: `url()`, `image-set()` and `@import`. */
export function cssReferences(css: string): CssReference[] {
  return Array.from(placedReferences(css), ({ reference, isImport }) => ({ reference, isImport }))
}

/** Replaces the references in CSS. `replace` returns a reference, to which the fragment is added, or null to keep the old one. */
export function rewriteCss(css: string, replace: (reference: string, isImport: boolean) => string | null) {
  let rewritten = ''
  let copied = 0
  for (const { reference, isImport, start, end, isInUrl } of placedReferences(css)) {
    const other = replace(reference, isImport)
    if (other === null) continue
    const quoted = `"${escapeCss(other + fragmentOf(reference))}"`
    rewritten += css.slice(copied, start) + (isInUrl ? quoted : `url(${quoted})`)
    copied = end
  }
  return rewritten + css.slice(copied)
}

function* placedReferences(css: string): Generator<Placed> {
  // Most CSS texts contain no reference.
  if (!/url|import|image-set|\\/i.test(css)) return
  /** The functions and brackets around the token, each ending with the character that opens it. */
  const open: string[] = []
  /** The at-rule whose reference may follow. */
  let rule = ''
  cssToken.lastIndex = 0
  for (let match = cssToken.exec(css); match; match = cssToken.exec(css)) {
    const { 0: token, 1: quoted, 2: word, 3: parenthesis = '', index: start } = match
    let end = cssToken.lastIndex
    const within = open.at(-1) ?? ''
    const isImport = rule === '@import'
    const isReference = rule !== '@namespace'
    if (quoted !== undefined) {
      if (isReference && (isImport || referring.has(within)))
        yield { reference: unquote(quoted), isImport, start, end, isInUrl: within === 'url(' }
      rule = ''
    } else if (word !== undefined) {
      const called = unescapeCss(word).toLowerCase() + parenthesis
      const url = called === 'url(' ? unquotedUrl(css, end) : null
      if (url) {
        end = url.end
        if (isReference && url.reference !== '') yield { ...url, isImport, start, isInUrl: false }
      } else if (parenthesis !== '') open.push(called)
      if (called.startsWith('@')) rule = called
      else if (isImport && (url || called !== 'url(')) rule = ''
    } else if (!token.startsWith('/')) {
      if (token in closers) open.push(token)
      else if (token === closers[within.at(-1) ?? '']) open.pop()
      rule = ''
    }
    // The caller may have read other CSS since the last reference.
    cssToken.lastIndex = end
  }
}

/** Reads from after `url(` to its `)`; a URL that contains invalid characters is "". Returns null if a string follows. */
function unquotedUrl(css: string, from: number): { reference: string; end: number } | null {
  unquoted.lastIndex = from
  const match = unquoted.exec(css)
  if (!match) return null
  const close = css.indexOf(')', unquoted.lastIndex)
  const isValid = unquoted.lastIndex === (close < 0 ? css.length : close)
  return {
    reference: isValid ? unescapeCss(match[1] ?? '') : '',
    end: close < 0 ? css.length : close + 1,
  }
}

function unquote(quoted: string): string {
  const [quote = ''] = quoted
  const isClosed = quoted.length > 1 && quoted.endsWith(quote)
  return unescapeCss(quoted.slice(1, isClosed ? -1 : undefined))
}

function unescapeCss(text: string): string {
  return text.replaceAll(
    /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|(\n)|([^]))/gi,
    (_, hex?: string, line?: string, char = '') => {
      if (hex === undefined) return line === undefined ? char : ''
      const code = Number.parseInt(hex, 16)
      return code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}

function escapeCss(text: string): string {
  return text.replaceAll(/["\\\n\r\f]/g, (char) => `\\${char.codePointAt(0)?.toString(16)} `)
}
