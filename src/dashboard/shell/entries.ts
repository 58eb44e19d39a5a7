import { matchScore, ranked } from '../format/match.ts'
import type { PaletteAction } from '../ui/list/palette-actions.ts'

const groups = [
  'Recent',
  'On this page',
  'Batch exports',
  'Saved views',
  'Persons',
  'Recordings',
  'Go to',
  'Settings',
] as const
export type Group = (typeof groups)[number]
/** `found`: the service found the entry, so it matches even if its label does not contain the typed text. */
export type Entry = PaletteAction & { group: Group; found?: boolean }

const entriesMax = 40
const recentMax = 4

/** Returns entries that match the typed text, best first in each group; without text, all available ones, recent first. */
export function entriesFor(typed: string, entries: readonly Entry[], recent: readonly string[]): Entry[] {
  if (typed.trim() === '') {
    const available = entries.filter(({ reason }) => !reason)
    return inGroups(withRecent(available, recent)).slice(0, entriesMax)
  }
  const rank = (id: string) => (recent.includes(id) ? 0.5 : 0)
  const scoreOf = ({ id, label, found }: Entry) => {
    const score = matchScore(typed, label) ?? (found ? 0 : null)
    return score === null ? null : score + rank(id)
  }
  const best = ranked(entries, scoreOf).slice(0, entriesMax)
  // The group of the best match comes first, so that Enter runs that match.
  const order = [...new Set(best.map(({ group }) => group))]
  return inGroups(best, order)
}

function withRecent(entries: readonly Entry[], recent: readonly string[]): Entry[] {
  const shown = recent
    .flatMap((id) => entries.filter((entry) => entry.id === id && entry.group !== 'On this page'))
    .slice(0, recentMax)
  const rest = entries.filter((entry) => !shown.includes(entry))
  return [...shown.map((entry) => ({ ...entry, group: 'Recent' as const })), ...rest]
}

function inGroups(entries: readonly Entry[], order: readonly Group[] = groups): Entry[] {
  return order.flatMap((group) => entries.filter((entry) => entry.group === group))
}
