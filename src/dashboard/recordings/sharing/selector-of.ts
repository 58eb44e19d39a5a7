const parentsMax = 3
/** Names that need no escape; rrweb's own classes are not in the recorded page. */
const plainName = /^(?!rrweb|rr-)[a-z_][\w-]{0,40}$/i

type Named = Pick<Element, 'id' | 'localName' | 'classList'> & { parentElement: Named | null }

/** Returns a selector for an element and those like it: by its id, its classes, or its place in such an element. */
export function selectorOf(element: Named): string {
  const path: string[] = []
  for (let at: Named | null = element; at && path.length <= parentsMax; at = at.parentElement) {
    if (plainName.test(at.id)) return [`#${at.id}`, ...path].join(' > ')
    const classes = [...at.classList].filter((name) => plainName.test(name)).slice(0, 3)
    path.unshift([at.localName, ...classes].join('.'))
    if (classes.length > 0) break
  }
  return path.join(' > ')
}

/** Describes what a selector matches in the page that the player shows. */
export function matchInWords(page: Pick<Document, 'querySelectorAll'>, selector: string): string {
  try {
    const { length } = page.querySelectorAll(selector)
    if (length === 0) return 'matches nothing at this moment'
    return `matches ${length === 1 ? '1 element' : `${length.toLocaleString('en')} elements`} at this moment`
  } catch {
    // querySelectorAll throws for any text that is not a selector.
    return 'is not a CSS selector'
  }
}
