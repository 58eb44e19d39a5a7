import type { Questions } from '../player/player-messages.ts'

/** Returns the element of the recorded page at a point. */
export function elementAt(
  frame: HTMLIFrameElement,
  { x, y }: Questions['element']['ask'],
): Questions['element']['answer'] {
  const { clientWidth, clientHeight } = frame
  // Nothing is found in a frame that cannot be clicked.
  frame.inert = false
  const element = frame.contentDocument?.elementFromPoint(x * clientWidth, y * clientHeight)
  frame.inert = true
  if (!element) return null
  const { left, top, width, height } = element.getBoundingClientRect()
  const box = {
    left: left / clientWidth,
    top: top / clientHeight,
    width: width / clientWidth,
    height: height / clientHeight,
  }
  return { selector: selectorOf(element), box }
}

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

/** Counts the elements of the recorded page that match selectors; null for a text that is no selector. */
export function countMatches(
  { contentDocument }: Pick<HTMLIFrameElement, 'contentDocument'>,
  selectors: readonly string[],
): Questions['matches']['answer'] {
  return selectors.map((selector) => {
    try {
      return contentDocument?.querySelectorAll(selector).length ?? 0
    } catch {
      // querySelectorAll throws for any text that is not a selector.
      return null
    }
  })
}
