import type { GroupSummaryResult, SummarySection } from '../../../contract/recordings/group-summary.ts'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import { capitalized, durationText, spelledCount } from '../facts/english.ts'

export type GroupMember = { recording: string; name: string; distinct_id: string; facts: StoredFacts }
type Counts = { matched: number; unread: number }
type Line = SummarySection['lines'][number]
type Problem = RecordingFacts['problems'][number]

/** A recording in which something occurred, and when: in milliseconds from its start. */
type Occurrence = { member: GroupMember; at: number }

const linesMax = 8

/** Summarizes recordings, which are a sample if there are fewer than `matched`: the same text for the same recordings in any order. */
export function describeGroup(
  group: readonly GroupMember[],
  { matched, unread }: Counts,
): GroupSummaryResult {
  const inOrder = group.toSorted((a, b) => compare(a.recording, b.recording))
  const ended = (kind: RecordingFacts['outcome']['kind']) =>
    inOrder.filter(({ facts }) => facts.outcome.kind === kind)
  const [completed, left, failed] = [ended('completed'), ended('left'), ended('error')]
  const outcomes = { completed: completed.length, left: left.length, error: failed.length }
  const sections: SummarySection[] = [
    { name: 'completed', lines: outcomeLines(completed, (label) => `Completed: “${label}”`) },
    { name: 'left', lines: outcomeLines(left, (label) => `Left at “${label}”`) },
    { name: 'problems', lines: problemLines(inOrder) },
    { name: 'time', lines: timeLines(inOrder) },
  ]
  return {
    overview: overviewOf(inOrder.length, outcomes, { matched, unread }),
    outcomes,
    sections: sections.filter(({ lines }) => lines.length > 0),
    wording: null,
  }
}

function overviewOf(
  read: number,
  { completed, left, error }: GroupSummaryResult['outcomes'],
  { matched, unread }: Counts,
): string {
  const isSample = read + unread < matched
  const of = isSample ? `A sample of ${number(read)} of ${number(matched)} recordings` : counted(read)
  const missing = unread === 0 ? '' : ` ${unread} more could not be read.`
  if (read === 0) return 'No recording could be read.'
  const parts = [
    `${number(completed)} completed (${percent(completed, read)})`,
    `${number(left)} left (${percent(left, read)})`,
    `${number(error)} ended with an error (${percent(error, read)})`,
  ]
  return `${of}: ${parts.slice(0, 2).join(', ')} and ${parts[2]}.${missing}`
}

function outcomeLines(members: readonly GroupMember[], ending: (label: string) => string): Line[] {
  const occurrences = members.map((member) => ({ member, at: member.facts.outcome.at }))
  const groups = Map.groupBy(occurrences, ({ member }) => member.facts.outcome.label)
  return linesOf(groups, ({ member }, count) => `${ending(member.facts.outcome.label)} in ${counted(count)}.`)
}

/** Groups problems that differ only in numbers. */
function problemLines(members: readonly GroupMember[]): Line[] {
  const occurrences = members.flatMap((member) =>
    member.facts.problems.map((problem) => ({ member, at: problem.at, problem })),
  )
  const groups = Map.groupBy(
    occurrences,
    ({ problem }) => `${problem.kind} ${problem.label.replaceAll(/\d+/g, '#')}`,
  )
  return linesOf(groups, ({ problem }, recordings) => `${problemText(problem)} in ${counted(recordings)}.`)
}

function problemText({ kind, label }: Problem): string {
  if (kind === 'error') return `Error “${label}”`
  if (kind === 'rage') return `Rage clicks on “${label}”`
  if (kind === 'request') return `Failed request “${label}”`
  return `A form left half filled in (${label})`
}

function timeLines(members: readonly GroupMember[]): Line[] {
  const stays = members.flatMap((member) =>
    member.facts.time
      .filter(({ active }) => active > 0)
      .map(({ label, at, active }) => ({ member, at, label, active })),
  )
  const total = activeIn(stays)
  const groups = [...Map.groupBy(stays, ({ label }) => label)]
  const lines = groups.toSorted(([a, own], [b, others]) => activeIn(others) - activeIn(own) || compare(a, b))
  return lines.slice(0, linesMax).map(([label, group]) => {
    const active = activeIn(group)
    const [longest] = group.toSorted((a, b) => b.active - a.active)
    return {
      text: `${durationText(active)} on “${label}” in ${counted(recordingsIn(group))} (${percent(active, total)}).`,
      recordings: recordingsIn(group),
      example: longest ? exampleOf(longest) : null,
    }
  })
}

/** Describes the largest groups by their best example, and counts the others in one line. */
function linesOf<Found extends Occurrence>(
  groups: ReadonlyMap<string, readonly Found[]>,
  text: (best: Found, recordings: number) => string,
): Line[] {
  const sorted = [...groups].toSorted(
    ([a, own], [b, others]) => recordingsIn(others) - recordingsIn(own) || compare(a, b),
  )
  const shown = sorted.length > linesMax ? sorted.slice(0, linesMax - 1) : sorted
  const lines = shown.flatMap(([, group]): Line[] => {
    const [best] = group.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at)
    const recordings = recordingsIn(group)
    return best ? [{ text: text(best, recordings), recordings, example: exampleOf(best) }] : []
  })
  const rest = sorted.slice(shown.length)
  if (rest.length === 0) return lines
  const recordings = recordingsIn(rest.flatMap(([, group]) => group))
  const others = capitalized(spelledCount(rest.length, 'rarer one'))
  return [...lines, { text: `${others} in ${counted(recordings)}.`, recordings, example: null }]
}

/** Prefers recordings whose most telling moment this is. */
function rank({ member, at }: Occurrence): number {
  return member.facts.moment === at ? 0 : 1
}

function exampleOf({ member, at }: Occurrence): Line['example'] {
  return { recording: member.recording, name: member.name, distinct_id: member.distinct_id, at }
}

function recordingsIn(group: readonly Occurrence[]): number {
  return new Set(group.map(({ member }) => member)).size
}

function activeIn(stays: readonly { active: number }[]): number {
  return stays.reduce((sum, { active }) => sum + active, 0)
}

function counted(recordings: number): string {
  return `${number(recordings)} ${recordings === 1 ? 'recording' : 'recordings'}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / Math.max(whole, 1))} %`
}

/** Orders texts alike on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
