import { condition, contrastStart, focusAttributes, targetAttribute } from './adapted-css.ts'

/**
 * Replacement of each pseudo-class, of the same specificity. `:hover` is also the name of the class that rrweb gives to the elements
 * under the recorded pointer.
 */
const replacements: Record<string, string> = {
  hover: String.raw`.\:hover`,
  target: `[${targetAttribute}]`,
  ...Object.fromEntries(Object.entries(focusAttributes).map(([name, attribute]) => [name, `[${attribute}]`])),
}

/** Parts that are kept, because what they contain may look like a part that is replaced. */
const kept = [
  // Strings, comments and `url()`, even if unclosed.
  /"(?:[^"\\]+|\\[^])*"?/,
  /'(?:[^'\\]+|\\[^])*'?/,
  /\/\*[^]*?(?:\*\/|$)/,
  /url\((?!\s*["'])[^)]*\)?/,
  // The media feature `(hover:hover)`, and names that a declaration gives.
  /\(\s*(?:any-)?hover\s*:/,
  /(?<![\w.#-])(?:(?:-webkit-)?animation(?:-name)?|--[\w-]+)\s*:/,
  // Neither a class nor an attribute may follow a pseudo-element. Those left out contain a selector.
  /::(?:part\([^)]{0,200}\)|(?!slotted|cue)[\w-]+)(?::[\w-]+)*/,
]
const replaced = [
  /(?<![\\:]):(?<pseudoClass>focus(?:-visible|-within)?|target|hover)(?![\w-])/,
  /(?<![\w.#-])(?<limit>max|min)-device-(?=width|height)/,
  /\(\s*(?<feature>prefers-contrast|forced-colors)\s*(?::\s*(?<value>[\w-]+)\s*)?\)/,
]
const parts = new RegExp([...kept, ...replaced].map(({ source }) => source).join('|'), 'gi')

type Replaced = { pseudoClass?: string; limit?: string; feature?: string; value?: string }

/**
 * Adapts CSS to the replay: the player calls this for recorded CSS, the service for style sheets that it serves. `:hover` becomes a
 * class; the pseudo-classes for focus and `:target` become attributes. Limits of the screen's width and height become limits of
 * the window's. Conditions on the contrast become those that `withContrast` replaces; the viewer's forced colors have no effect.
 * The player's frame sets the color scheme.
 */
export function adaptCss(css: string): string {
  // Many style sheets have none of them.
  if (!/:focus|:target|:hover|-device-|prefers-contrast|forced-colors/i.test(css)) return css
  return css.replaceAll(parts, (whole, ...rest) => {
    const { pseudoClass, limit, feature, value = '' } = rest.at(-1) as Replaced
    if (pseudoClass !== undefined) return replacements[pseudoClass.toLowerCase()] ?? whole
    if (limit !== undefined) return `${limit}-`
    if (feature === undefined) return whole
    return /^p/i.test(feature) ? `${contrastStart}${value.toLowerCase()})` : condition(/^none$/i.test(value))
  })
}
