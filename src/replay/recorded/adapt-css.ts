/** Attributes that replace the focus pseudo-classes, which never match in a document that cannot be focused. */
export const focusAttributes = {
  focus: 'data-replayed-focus',
  'focus-visible': 'data-replayed-focus-visible',
  'focus-within': 'data-replayed-focus-within',
} as const

/** A part that is kept (a string, a comment or `url()`, even if unclosed), or a part that is replaced. */
const parts =
  /"(?:[^"\\]+|\\[^])*"?|'(?:[^'\\]+|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|url\([^)]*\)?|(?<![\\:]):(focus(?:-visible|-within)?)(?![\w-])|\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)|(?<![\w-])color-scheme\s*:\s*([\w\s-]+)/gi

/**
 * Adapts CSS to the replay: the player calls this for recorded CSS, the service for style sheets that it serves.
 * Pseudo-classes for focus become attributes of the same specificity. Whether the visitor preferred a dark theme is not
 * recorded, so the light theme is shown, whatever the viewer prefers.
 */
export function adaptCss(css: string): string {
  // Most style sheets have neither.
  if (!/:focus|color-scheme/i.test(css)) return css
  return css.replaceAll(parts, (whole, pseudoClass?: string, preferred?: string, schemes?: string) => {
    if (pseudoClass !== undefined) return `[${focusAttributes[pseudoClass.toLowerCase() as Focus]}]`
    if (preferred !== undefined)
      return preferred.toLowerCase() === 'light' ? '(min-width: 0)' : '(max-width: 0)'
    if (schemes !== undefined) return `color-scheme: ${lightIfSupported(schemes)}`
    return whole
  })
}

type Focus = keyof typeof focusAttributes

/** Returns the value of `color-scheme` without the dark theme if a page supports both. */
export function lightIfSupported(schemes: string): string {
  return /\blight\b/i.test(schemes) ? 'light' : schemes
}
