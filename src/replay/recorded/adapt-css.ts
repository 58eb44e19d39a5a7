import type { Contrast } from './page-state.ts'

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
  /"(?:[^"\\]+|\\[^])*"?|'(?:[^'\\]+|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|url\([^)]*\)?|(?<![\\:]):(focus(?:-visible|-within)?|target)(?![\w-])|\(\s*(prefers-contrast|forced-colors)\s*(?::\s*([\w-]+)\s*)?\)/gi

/**
 * Adapts CSS to the replay: the player calls this for recorded CSS, the service for style sheets that it serves.
 * Pseudo-classes for focus and `:target` become attributes of the same specificity. Conditions on the contrast become those that
 * `withContrast` replaces; the viewer's forced colors have no effect. The player's frame sets the color scheme.
 */
export function adaptCss(css: string): string {
  // Most style sheets have neither.
  if (!/:focus|:target|prefers-contrast|forced-colors/i.test(css)) return css
  return css.replaceAll(parts, (whole, pseudoClass?: string, feature?: string, value = '') => {
    const name = pseudoClass?.toLowerCase()
    if (name !== undefined) return `[${name === 'target' ? targetAttribute : focusAttributes[name as Focus]}]`
    if (feature === undefined) return whole
    return /^p/i.test(feature) ? `${contrastStart}${value.toLowerCase()})` : condition(/^none$/i.test(value))
  })
}

/** Start of the condition that stands for one on the contrast until the visitor's is known. */
const contrastStart = '(recorded-contrast:'

/** Makes adapted CSS depend on the visitor's contrast instead of the viewer's. */
export function withContrast(css: string, contrast: Contrast): string {
  if (!css.includes(contrastStart)) return css
  return css.replaceAll(/\(recorded-contrast:([\w-]*)\)/g, (_, wanted: string) =>
    condition(wanted === '' ? contrast !== 'no-preference' : wanted === contrast),
  )
}

/** Returns the query with which the service serves a style sheet for a contrast. */
export function contrastQuery(contrast: Contrast): string {
  return contrast === 'no-preference' ? '' : `?contrast=${contrast}`
}

/** Returns a condition that every window meets, or none. */
function condition(isMet: boolean): string {
  return isMet ? '(min-width: 0)' : '(max-width: 0)'
}

type Focus = keyof typeof focusAttributes
