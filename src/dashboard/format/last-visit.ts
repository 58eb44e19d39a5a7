import { readStored } from './stored.ts'

/** A visit to a page ends this long (ms) after the page was last opened. */
const visitMs = 30 * 60_000

/** Milliseconds since the epoch: when the page was last opened, and when it was last opened in the previous visit. */
type Visits = { last: number; previous: number | null }

/** Returns the visits after the page is opened at `now`. */
export function afterOpening(stored: Visits | null, now: number): Visits {
  if (!stored) return { last: now, previous: null }
  const isSameVisit = now - stored.last < visitMs
  return { last: now, previous: isSameVisit ? stored.previous : stored.last }
}

/**
 * Notes that a page is opened, such as the `errors` of a project; returns when it was last opened in the previous visit with
 * this browser, null if there was none.
 */
export function notePageOpened(page: string, id: string): number | null {
  const key = `spool.${page}-opened.${id}`
  const { last, previous } = readStored(key)
  const stored = Number.isFinite(last)
    ? { last: Number(last), previous: previous === null ? null : Number(previous) }
    : null
  const visits = afterOpening(stored, Date.now())
  localStorage.setItem(key, JSON.stringify(visits))
  return visits.previous
}
