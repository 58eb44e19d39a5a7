import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import type { Activity } from '../../snapshots/activity.ts'
import { capitalized } from '../facts/english.ts'
import type { Fact, PageVisit } from '../facts/fact-log.ts'
import { pageUrl, pathName } from '../facts/page-path.ts'
import { safeMessage } from '../facts/readable-text.ts'
import type { SessionFacts } from '../facts/session-facts.ts'
import type { ActivityStrip } from '../facts/activity-strip.ts'
import type { SessionDevice } from './session-device.ts'

type Problem = RecordingFacts['problems'][number]
type Source = {
  session: SessionFacts
  strip: ActivityStrip
  activity: Activity
  device: SessionDevice
  /** The summary's first sentence. */
  summary: string | null
}

const pagesMax = 30
const problemsMax = 10
const timesMax = 30
const labelLengthMax = 100
const pageLabelLengthMax = 40

const kinds: Partial<Record<Fact['kind'], Problem['kind']>> = {
  exception: 'error',
  console_error: 'error',
  rage_click: 'rage',
  failed_request: 'request',
  abandoned_form: 'form',
}

/** Returns what the service stores of a recording, from the facts of its session. */
export function storedFacts({ session, strip, activity, device, summary }: Source): StoredFacts {
  const { visits, facts, start } = session
  const at = (time: number) => Math.max(Math.round(time - start), 0)
  const pages = visits.map((visit) => ({ ...pageOf(session, visit), at: at(visit.start) }))
  const problems = distinctProblems(session, at)
  return {
    pages: pages.slice(0, pagesMax),
    page_count: visits.reduce((sum, visit) => sum + visit.pages, 0),
    outcome: outcomeOf(session, at),
    problems: problems.slice(0, problemsMax),
    strip: strip.withActivity(activity),
    moment: at(tellingMoment(session, activity.at(-1) ?? start)),
    ...device,
    summary,
    rage_click_count: facts.filter(({ kind }) => kind === 'rage_click').length,
    left_form: facts.some(({ kind }) => kind === 'abandoned_form'),
    time: timeByPage(session, at),
  }
}

function pageOf({ names }: SessionFacts, visit: PageVisit) {
  return { label: pageLabel(visit, names.get(visit) ?? visit.path), url: pageUrl(visit) }
}

/** Returns a page's name in a word or two: of “Brass lamp – Lighting” or `/shop/brass-lamp`, "Brass lamp". */
export function pageLabel({ path }: Pick<PageVisit, 'path'>, name: string): string {
  if (path === '/') return 'Home'
  const isPath = name === pathName(path)
  const label = safeMessage(isPath ? lastPart(path) : (name.split(' – ')[0] ?? name)) ?? 'Page'
  return cut(label, pageLabelLengthMax)
}

/** Returns the last part of a path that is not an id, as words. */
function lastPart(path: string): string {
  const part = path.split('/').findLast((each) => each !== '' && each !== '…') ?? ''
  const words = part.replace(/\.\w{1,5}$/, '').replaceAll(/[-_+\s]+/g, ' ')
  return capitalized(words)
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1).trimEnd()}…` : text
}

/** Returns each problem once, at its first occurrence. */
function distinctProblems({ problems }: SessionFacts, at: (time: number) => number): Problem[] {
  const found = new Map<string, Problem>()
  for (const fact of problems) {
    const kind = kinds[fact.kind]
    if (!kind) continue
    const problem = { kind, label: problemLabel(fact), at: at(fact.at) }
    const key = `${kind} ${problem.label}`
    if (!found.has(key)) found.set(key, problem)
  }
  return [...found.values()]
}

function problemLabel({ kind, about, fields }: Fact): string {
  return cut(kind === 'abandoned_form' ? fields.map(unquoted).join(', ') : unquoted(about), labelLengthMax)
}

function outcomeOf(session: SessionFacts, at: (time: number) => number): RecordingFacts['outcome'] {
  const { outcome, facts, visits } = session
  const { fact } = outcome
  if (outcome.kind === 'failed') {
    const label = fact.kind === 'rage_click' ? `rage clicks on ${problemLabel(fact)}` : problemLabel(fact)
    return { kind: 'error', label, at: at(fact.at) }
  }
  if (outcome.kind === 'completed')
    return { kind: 'completed', label: achievement(session, fact), at: at(fact.at) }
  const field = fact.kind === 'abandoned_form' ? fact.fields.findLast(isQuoted) : undefined
  if (field) return { kind: 'left', label: unquoted(field), at: at(fact.at) }
  const last = visits.at(-1) ?? fact.visit
  return { kind: 'left', label: pageOf(session, last).label, at: at(facts.at(-1)?.at ?? fact.at) }
}

/** Names what the visitor completed: the site's event, a page, or a form by its button or field. */
function achievement(session: SessionFacts, { kind, about, fields, visit }: Fact): string {
  if (kind === 'event') return capitalized(unquoted(about).replaceAll(/[_\s]+/g, ' '))
  const name = kind === 'submitted' ? [about, ...fields].find(isQuoted) : undefined
  if (name === undefined) return pageOf(session, visit).label
  return name === about ? unquoted(name) : `${unquoted(name)} submitted`
}

/** Chooses the moment that says most about the recording: the failure that ended it, else a problem, else the goal. */
function tellingMoment({ facts, problems, outcome }: SessionFacts, lastActive: number): number {
  if (outcome.kind === 'failed') return outcome.fact.at
  const problem =
    problems.find(({ kind }) => kind === 'rage_click') ??
    // Visitors do not notice a failed request that follows no click.
    problems.find(({ kind, after }) => kind === 'failed_request' && after !== null) ??
    facts.find(({ kind }) => kind === 'abandoned_form')
  if (problem) return problem.at
  return outcome.kind === 'completed' ? outcome.fact.at : lastActive
}

function timeByPage(session: SessionFacts, at: (time: number) => number): StoredFacts['time'] {
  const times = new Map<string, StoredFacts['time'][number]>()
  for (const visit of session.visits) {
    const page = pageOf(session, visit)
    const key = `${page.label} ${page.url}`
    const time = times.get(key) ?? { ...page, at: at(visit.start), active: 0 }
    time.active += Math.round(session.active.get(visit) ?? 0)
    times.set(key, time)
  }
  return [...times.values()].toSorted((a, b) => b.active - a.active || a.at - b.at).slice(0, timesMax)
}

function unquoted(text: string): string {
  return text.replace(/^“(.*)”$/s, '$1')
}

/** Returns whether a text names an element, rather than, say, "a field". */
function isQuoted(text: string): boolean {
  return text.startsWith('“')
}
