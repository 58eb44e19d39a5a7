/** Something a session did, as the warehouse holds it. */
export type PathRow = {
  /** Text in UTC, which sorts by time. */
  timestamp: string
  /** The event's name; `console` for an error or exception, `page` for a page that only the replay saw. */
  event: string
  /** Address of the page. */
  url: string
  /** `click`, `submit`, `change` … of an autocaptured event. */
  action: string
  elements_chain: string
  /** What an error has in common with others like it. */
  pattern: string
}

/** More of a long session would not make it more like others. */
export const stepsMax = 200
const textLimit = 80

/**
 * The way a session went, as texts like `page /products/:id`, `click button "Add to cart"`, `event purchase_completed`,
 * `error …`: in order, without repeats in a row, at most `stepsMax`.
 */
export function pathSteps(rows: readonly PathRow[]): string[] {
  const steps: string[] = []
  for (const row of rows.toSorted((a, b) =>
    a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp),
  )) {
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
      return pattern === '' ? null : `error ${pattern.slice(0, textLimit)}`
    default:
      // The client's own notes ($pageleave, $identify, $web_vitals …) are no steps of the person.
      return event.startsWith('$') ? null : `event ${event.slice(0, textLimit)}`
  }
}

/** The path of an address, with ids in it folded. */
export function foldedPath(url: string): string {
  const path = /^(?:[a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/'
  return path
    .split('/')
    .map((part) => (isId(part) ? ':id' : part))
    .join('/')
    .slice(0, textLimit)
}

function isId(part: string): boolean {
  return /^\d+$/.test(part) || /^[0-9a-f-]{16,}$/i.test(part) || (part.match(/\d/g)?.length ?? 0) >= 4
}

/** The innermost element in words: `button "Add to cart"`, `input "email"`, or its tag alone. */
function elementName(chain: string): string {
  const tag = /^[\w-]+/.exec(chain)?.[0] ?? 'element'
  const own = /^(?:[^;"]|"(?:[^"\\]|\\.)*")*/.exec(chain)?.[0] ?? ''
  const attributes = new Map(
    [...own.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const name = [
    'text',
    'attr__aria-label',
    'attr__placeholder',
    'attr__name',
    'attr__id',
    'href',
    'attr__href',
  ]
    .map((key) => attributes.get(key)?.trim())
    .find(Boolean)
  return name ? `${tag} "${name.slice(0, textLimit)}"` : tag
}
