import { addedNodes, isObject, objectsIn, type WindowEvent } from '../../../replay/recorded/rrweb.ts'

/**
 * A declaration without a value. Browsers tell recorders no value for what a later declaration leaves of a shorthand with a
 * variable: of `padding: var(--size); padding-top: 0`, they print `padding-right: ; …`.
 */
const withoutValue = /[{;]\s*[a-z][a-z-]*:\s*;/

/** Returns the number of recorded style rules that lack values and concern classes of the recorded pages. */
export function incompleteRules(events: readonly WindowEvent[]): number {
  const rules = new Set<string>()
  const classes = new Set<string>()
  for (const { event } of events) {
    const { data } = event
    for (const { attributes } of [...addedNodes(event), ...objectsIn(data['attributes'])]) {
      if (!isObject(attributes)) continue
      const { class: names, _cssText: css } = attributes
      if (typeof names === 'string') for (const name of names.split(/\s+/)) classes.add(name)
      if (typeof css === 'string') addIncomplete(rules, css)
    }
    const adopted = objectsIn(data['styles']).flatMap((sheet) => objectsIn(sheet['rules']))
    for (const { rule } of adopted) if (typeof rule === 'string') addIncomplete(rules, rule)
  }
  return [...rules].filter((selectors) => concerns(selectors, classes)).length
}

/** Adds the selectors of the rules in a style sheet that lack values. */
function addIncomplete(rules: Set<string>, css: string): void {
  for (const part of css.split('}')) {
    const [before = ''] = withoutValue.test(part) ? part.split(/\{(?=[^{]*$)/) : []
    const selectors = before.slice(Math.max(...['{', ';'].map((end) => before.lastIndexOf(end))) + 1).trim()
    if (selectors) rules.add(selectors)
  }
}

/** Whether all classes in one of the selectors are known. */
function concerns(selectors: string, classes: ReadonlySet<string>): boolean {
  return selectors.split(',').some((selector) => {
    const named = selector.matchAll(/\.((?:\\.|[\w-])+)/g)
    return [...named].every(([, name = '']) => classes.has(name.replaceAll('\\', '')))
  })
}
