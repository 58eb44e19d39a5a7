import type { RecordingSummary } from '../../../contract/recording-summary.ts'
import { listed } from './english.ts'
import type { Fact, Visit } from './fact-log.ts'
import { factText, problemKinds } from './fact-words.ts'

export type SessionOutcome = { kind: RecordingSummary['outcome']['kind']; text: string; fact: Fact }

type Ended = {
  facts: readonly Fact[]
  visits: readonly Visit[]
  names: ReadonlyMap<Visit, string>
  ongoing: boolean
}

/** Names of events and of pages that say that something was done. */
const doneEvent =
  /\b(purchased?|order(ed)?|payment|checkout|subscri\w*|sign(ed)? ?up|registered|registration|booking|booked|donat\w*)\b.*\b(complet\w*|placed|succe\w*|submitted|paid|created|confirmed|done|finished)\b|\b(purchased|ordered|subscribed|registered|signed ?up|booked|donated|(order|purchase|payment|checkout|sign ?up|registration) ?(completed?|success))\b/i
const donePage = /\b(thank[ -]?you|thanks|confirm(ed|ation)|success|complete(d)?|order[ -]placed|receipt)\b/i
const basketPage = /\b(cart|basket|bag|checkout|payment)\b/i
const severe = new Set(['exception', 'failed_request', 'rage_click'])
/** Milliseconds: what goes wrong so close before the end may be why it ended. */
const lastMinute = 60_000
/** Milliseconds in which it shows that a form was not taken. */
const refusedMax = 10_000

/** How a session ended, from what is known: the last thing that was done, or what was in the way. */
export function outcomeOf(session: Ended): SessionOutcome | null {
  const { facts, ongoing } = session
  const end = facts.at(-1)
  if (!end) return null
  if (ongoing)
    return {
      kind: 'unfinished',
      text: `Unfinished: it is still going on, ${placed(session, end, 'now')}`,
      fact: end,
    }
  const done = completion(session)
  const trouble = failure(session, done?.fact)
  return trouble ?? done ?? abandonment(session) ?? lookedAround(session, end)
}

function completion({ facts, visits, names }: Ended): SessionOutcome | null {
  const event = facts.findLast((fact) => fact.kind === 'event' && doneEvent.test(spaced(fact.about)))
  if (event) return { kind: 'completed', text: `Completed: the site recorded ${event.about}`, fact: event }
  const page = facts.findLast(
    ({ kind, visit }) => kind === 'page' && visit !== visits[0] && isDone(visit, names),
  )
  if (page) return { kind: 'completed', text: `Completed: they got to ${page.about}`, fact: page }
  const sent = facts.findLast(({ kind, about, fields }) => kind === 'submitted' && !isSearch(fields, about))
  if (!sent || facts.some((fact) => speaksAgainst(fact, sent))) return null
  // What sends a form and stays in the basket is a step on the way.
  const last = visits.at(-1)
  if (last && isBasket(last, names)) return null
  const text = `Completed: they sent ${listed(sent.fields)} with ${sent.about}`
  return { kind: 'completed', text, fact: sent }
}

/** A form may be refused, or another one left: then the sent one was not what they came for. */
function speaksAgainst({ kind, at }: Fact, sent: Fact): boolean {
  if (kind === 'abandoned_form') return at > sent.at
  return problemKinds.has(kind) && at >= sent.at && at - sent.at <= refusedMax
}

function failure({ facts }: Ended, done: Fact | undefined): SessionOutcome | null {
  const active = facts.findLast(({ kind }) => kind !== 'end' && kind !== 'idle')
  const from = Math.max((active?.until ?? 0) - lastMinute, done?.at ?? 0)
  const late = facts.filter(({ kind, at }) => severe.has(kind) && at > from)
  // Many pages have scripts that fail where nobody notices: it counts when it followed what the person did.
  const felt = late.findLast(({ kind, after }) => kind === 'rage_click' || after !== null)
  const why = late.findLast((fact) => fact.kind === 'failed_request' && fact.after !== null) ?? felt
  const isOver = done !== undefined && (done.kind === 'event' || done.kind === 'page')
  if (!why || isOver) return null
  return { kind: 'failed', text: `Failed: ${lowered(factText(why))}, shortly before the end`, fact: why }
}

function abandonment({ facts, visits, names }: Ended): SessionOutcome | null {
  const form = facts.findLast(({ kind }) => kind === 'abandoned_form')
  if (form) return { kind: 'abandoned', text: `Abandoned: ${lowered(factText(form))}`, fact: form }
  const basket = facts.findLast(({ kind, visit }) => kind === 'page' && isBasket(visit, names))
  if (!basket || visits.length === 0) return null
  const text = `Abandoned: they got as far as ${basket.about} and went no further`
  return { kind: 'abandoned', text, fact: basket }
}

function lookedAround(session: Ended, end: Fact): SessionOutcome {
  const pages = new Set(session.visits.map(({ path }) => path)).size
  const text = pages === 1 ? 'Looked around on one page' : 'Looked around'
  return { kind: 'looked_around', text: `${text}, and ${placed(session, end, 'ended')}`, fact: end }
}

function placed({ names }: Ended, { visit }: Fact, verb: string): string {
  return `${verb} on “${names.get(visit) ?? visit.path}”`
}

function isDone(visit: Visit, names: ReadonlyMap<Visit, string>): boolean {
  return donePage.test(spaced(`${visit.path} ${names.get(visit) ?? ''}`))
}

function isBasket(visit: Visit, names: ReadonlyMap<Visit, string>): boolean {
  return basketPage.test(spaced(`${visit.path} ${names.get(visit) ?? ''}`))
}

function isSearch(fields: readonly string[], button: string): boolean {
  return /\b(search|find|filter|query)\b/i.test(`${fields.join(' ')} ${button}`)
}

/** `order_placed` and `orderPlaced` as words. */
function spaced(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_/.-]+/g, ' ')
}

function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}
