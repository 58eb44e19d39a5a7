/** A row of the warehouse that may become a step of a session's path. */
export type PathRow = {
  /** UTC time as text that sorts chronologically. */
  timestamp: string
  /** The event's name; `console` for an error or exception, `page` for a page that only the replay saw. */
  event: string
  /** Address of the page. */
  url: string
  /** `click`, `submit`, `change` … of an autocaptured event. */
  action: string
  elements_chain: string
  /** The part of an error's message shared by its cluster. */
  pattern: string
}

/** Steps of a path. Further steps of a long session would not improve the comparison. */
export const stepsMax = 200
const textLengthMax = 80

/**
 * Returns the steps of a session's path: texts like `page /products/:id`, `click button "Add to cart"`,
 * `event purchase_completed` or `error …`, in order, without consecutive repeats, at most `stepsMax`.
 */
export function pathSteps(rows: readonly PathRow[]): string[] {
  const steps: string[] = []
  const inOrder = rows.toSorted((a, b) =>
    a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp),
  )
  for (const row of inOrder) {
    const step = stepOf(row)
    if (step !== null && step !== steps.at(-1)) steps.push(step)
    if (steps.length === stepsMax) break
  }
  return steps
}

function stepOf({ event, url, action, elements_chain, pattern }: PathRow): string | null {
  switch (event) {
    case 'page':
    case '$pageview':
    case '$screen':
      return `page ${foldedPath(url)}`
    case '$autocapture':
      return `${action || 'click'} ${elementName(elements_chain)}`
    case '$rageclick':
      return `rage click ${elementName(elements_chain)}`
    case '$dead_click':
      return `dead click ${elementName(elements_chain)}`
    case 'console':
      return pattern === '' ? null : `error ${pattern.slice(0, textLengthMax)}`
    default:
      // The client's internal events ($pageleave, $identify, $web_vitals …) are not steps of the person.
      return event.startsWith('$') ? null : `event ${event.slice(0, textLengthMax)}`
  }
}

/** Returns the path of a URL with ids replaced by `:id`. */
function foldedPath(url: string): string {
  const path = /^(?:[a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/'
  return path
    .split('/')
    .map((part) => (isId(part) ? ':id' : part))
    .join('/')
    .slice(0, textLengthMax)
}

function isId(part: string): boolean {
  return /^\d+$/.test(part) || /^[0-9a-f-]{16,}$/i.test(part) || (part.match(/\d/g)?.length ?? 0) >= 4
}

const nameAttributes = 'text attr__aria-label attr__placeholder attr__name attr__id href attr__href'.split(
  ' ',
)

/** Describes the innermost element: `button "Add to cart"`, `input "email"`, or its tag alone. */
function elementName(chain: string): string {
  const tag = /^[\w-]+/.exec(chain)?.[0] ?? 'element'
  const own = /^(?:[^;"]|"(?:[^"\\]|\\.)*")*/.exec(chain)?.[0] ?? ''
  const attributes = new Map(
    [...own.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const name = nameAttributes.map((key) => attributes.get(key)?.trim()).find(Boolean)
  return name ? `${tag} "${name.slice(0, textLengthMax)}"` : tag
}
