/** Attributes that replace the focus pseudo-classes, which never match in a document that cannot be focused. */
export const focusAttributes = {
  focus: 'data-replayed-focus',
  'focus-visible': 'data-replayed-focus-visible',
  'focus-within': 'data-replayed-focus-within',
} as const
/** Attribute that replaces `:target`, which the address of the replayed document never matches. */
export const targetAttribute = 'data-replayed-target'

/** A part that is kept (a string, a comment or `url()`, even if unclosed), or a part that is replaced. */
const parts =
  /"(?:[^"\\]+|\\[^])*"?|'(?:[^'\\]+|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|url\([^)]*\)?|(?<![\\:]):(focus(?:-visible|-within)?|target)(?![\w-])|\(\s*(?:prefers-contrast|forced-colors)\s*(?::\s*([\w-]+)\s*)?\)/gi

/**
 * Adapts CSS to the replay: the player calls this for recorded CSS, the service for style sheets that it serves.
 * Pseudo-classes for focus and `:target` become attributes of the same specificity. The viewer's contrast has no effect; the
 * visitor's has none either, because it can change while the style sheets stay. The player's frame sets the color scheme.
 */
export function adaptCss(css: string): string {
  // Most style sheets have neither.
  if (!/:focus|:target|prefers-contrast|forced-colors/i.test(css)) return css
  return css.replaceAll(parts, (whole, pseudoClass?: string, contrast?: string) => {
    const name = pseudoClass?.toLowerCase()
    if (name !== undefined) return `[${name === 'target' ? targetAttribute : focusAttributes[name as Focus]}]`
    if (!whole.startsWith('(')) return whole
    return /^no/i.test(contrast ?? '') ? '(min-width: 0)' : '(max-width: 0)'
  })
}

type Focus = keyof typeof focusAttributes
