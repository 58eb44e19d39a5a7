import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import { listed } from './english.ts'
import type { Fact, PageVisit } from './fact-log.ts'
import { factText, problemKinds } from './fact-text.ts'

export type SessionOutcome = { kind: RecordingSummary['outcome']['kind']; text: string; fact: Fact }

type Ended = {
  facts: readonly Fact[]
  visits: readonly PageVisit[]
  names: ReadonlyMap<PageVisit, string>
  ongoing: boolean
}

/** Names of events and pages that mean completion. */
const doneEvent =
  /\b(purchased?|order(ed)?|payment|checkout|subscri\w*|sign(ed)? ?up|registered|registration|booking|booked|donat\w*)\b.*\b(complet\w*|placed|succe\w*|submitted|paid|created|confirmed|done|finished)\b|\b(purchased|ordered|subscribed|registered|signed ?up|booked|donated|(order|purchase|payment|checkout|sign ?up|registration) ?(completed?|success))\b/i
const donePage = /\b(thank[ -]?you|thanks|confirm(ed|ation)|success|complete(d)?|order[ -]placed|receipt)\b/i
const basketPage = /\b(cart|basket|bag|checkout|payment)\b/i
const severe = new Set(['exception', 'failed_request', 'rage_click'])
/** Time (ms) before the end within which a problem may have ended the session. */
const lateMs = 60_000
/** Time (ms) after a form is submitted within which a problem means its rejection. */
const rejectedMs = 10_000

/** Derives how a session ended from its facts: by its last achievement, or by what prevented one. */
export function outcomeOf(session: Ended): SessionOutcome | null {
  const { facts, ongoing } = session
  const end = facts.at(-1)
  if (!end) return null
  const unfinished = `Unfinished: still in progress, ${placed(session, end, 'now')}`
  if (ongoing) return { kind: 'unfinished', text: unfinished, fact: end }
  const done = completion(session)
  return failure(session, done?.fact) ?? done ?? abandonment(session) ?? lookedAround(session, end)
}

function completion({ facts, visits, names }: Ended): SessionOutcome | null {
  const event = facts.findLast((fact) => fact.kind === 'event' && doneEvent.test(spaced(fact.about)))
  if (event) return { kind: 'completed', text: `Completed: the site recorded ${event.about}`, fact: event }
  const page = facts.findLast(
    ({ kind, visit }) => kind === 'page' && visit !== visits[0] && donePage.test(wordsOf(visit, names)),
  )
  if (page) return { kind: 'completed', text: `Completed: they reached ${page.about}`, fact: page }
  const sent = facts.findLast(({ kind, about, fields }) => kind === 'submitted' && !isSearch(fields, about))
  if (!sent || facts.some((fact) => contradicts(fact, sent))) return null
  // A form submitted in the basket is only one step of the checkout.
  const last = visits.at(-1)
  if (last && basketPage.test(wordsOf(last, names))) return null
  const text = `Completed: they submitted ${listed(sent.fields)} with ${sent.about}`
  return { kind: 'completed', text, fact: sent }
}

/** Returns whether a fact shows that a submitted form was not the goal: it was rejected, or another was abandoned. */
function contradicts({ kind, at }: Fact, sent: Fact): boolean {
  if (kind === 'abandoned_form') return at > sent.at
  return problemKinds.has(kind) && at >= sent.at && at - sent.at <= rejectedMs
}

function failure({ facts }: Ended, done: Fact | undefined): SessionOutcome | null {
  const active = facts.findLast(({ kind }) => kind !== 'end' && kind !== 'idle')
  const from = Math.max((active?.until ?? 0) - lateMs, done?.at ?? 0)
  const late = facts.filter(({ kind, at }) => severe.has(kind) && at > from)
  // Many pages have script errors that nobody notices; an error counts only if it followed a click.
  const noticed = late.findLast(({ kind, after }) => kind === 'rage_click' || after !== null)
  const why = late.findLast((fact) => fact.kind === 'failed_request' && fact.after !== null) ?? noticed
  const isOver = done !== undefined && (done.kind === 'event' || done.kind === 'page')
  if (!why || isOver) return null
  return { kind: 'failed', text: `Failed: ${lowered(factText(why))}, shortly before the end`, fact: why }
}

function abandonment({ facts, visits, names }: Ended): SessionOutcome | null {
  const form = facts.findLast(({ kind }) => kind === 'abandoned_form')
  if (form) return { kind: 'abandoned', text: `Abandoned: ${lowered(factText(form))}`, fact: form }
  const pages = facts.filter(({ kind }) => kind === 'page')
  const basket = pages.findLast(({ visit }) => basketPage.test(wordsOf(visit, names)))
  if (!basket || visits.length === 0) return null
  const text = `Abandoned: they got as far as ${basket.about} and went no further`
  return { kind: 'abandoned', text, fact: basket }
}

function lookedAround(session: Ended, end: Fact): SessionOutcome {
  const pages = new Set(session.visits.map(({ path }) => path)).size
  const text = pages === 1 ? 'Looked around on one page' : 'Looked around'
  return { kind: 'looked_around', text: `${text} and ${placed(session, end, 'ended')}`, fact: end }
}

function placed({ names }: Ended, { visit }: Fact, verb: string): string {
  return `${verb} on “${names.get(visit) ?? visit.path}”`
}

/** Returns a page's path and name as words. */
function wordsOf(visit: PageVisit, names: ReadonlyMap<PageVisit, string>): string {
  return spaced(`${visit.path} ${names.get(visit) ?? ''}`)
}

function isSearch(fields: readonly string[], button: string): boolean {
  return /\b(search|find|filter|query)\b/i.test(`${fields.join(' ')} ${button}`)
}

/** Splits `order_placed` and `orderPlaced` into words. */
function spaced(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_/.-]+/g, ' ')
}

function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}
