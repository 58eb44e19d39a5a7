import type { Contrast } from './page-state.ts'

/** Attributes that replace the focus pseudo-classes, which never match in a document that cannot be focused. */
export const focusAttributes = {
  focus: 'data-replayed-focus',
  'focus-visible': 'data-replayed-focus-visible',
  'focus-within': 'data-replayed-focus-within',
} as const
/** Attribute that replaces `:target`, which the address of the replayed document never matches. */
export const targetAttribute = 'data-replayed-target'

/** What replaces each pseudo-class, with the same specificity. rrweb gives the elements under the recorded pointer this class. */
const replacements: Record<string, string> = {
  hover: '.\\:hover',
  target: `[${targetAttribute}]`,
  ...Object.fromEntries(Object.entries(focusAttributes).map(([name, attribute]) => [name, `[${attribute}]`])),
}

/** A part that is kept (a string, a comment or `url()`, even if unclosed), or a part that is replaced. */
const parts =
  /"(?:[^"\\]+|\\[^])*"?|'(?:[^'\\]+|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|url\([^)]*\)?|(?<![\\:]|\(\s*(?:any-)?hover\s*):(focus(?:-visible|-within)?|target|hover)(?![\w-])|(?<![\w-])(max|min)-device-(?=width|height)|\(\s*(prefers-contrast|forced-colors)\s*(?::\s*([\w-]+)\s*)?\)/gi

/**
 * Adapts CSS to the replay: the player calls this for recorded CSS, the service for style sheets that it serves.
 * Pseudo-classes for the pointer, focus and `:target` become a class or attributes. Conditions on the size of the screen become
 * conditions on that of the window, and those on the contrast the ones that `withContrast` replaces; the viewer's forced colors
 * have no effect. The player's frame sets the color scheme.
 */
export function adaptCss(css: string): string {
  // Many style sheets have none of them.
  if (!/:focus|:target|:hover|-device-|prefers-contrast|forced-colors/i.test(css)) return css
  return css.replaceAll(
    parts,
    (whole, pseudoClass?: string, limit?: string, feature?: string, value = '') => {
      if (pseudoClass !== undefined) return replacements[pseudoClass.toLowerCase()] ?? whole
      if (limit !== undefined) return `${limit}-`
      if (feature === undefined) return whole
      return /^p/i.test(feature)
        ? `${contrastStart}${value.toLowerCase()})`
        : condition(/^none$/i.test(value))
    },
  )
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
