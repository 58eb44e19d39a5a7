import { matchScore } from './match.ts'
import type { PaletteAction } from '../ui/list/palette-actions.ts'

const groups = ['Recent', 'On this page', 'Batch exports', 'Go to', 'Settings'] as const
export type Group = (typeof groups)[number]
export type Entry = PaletteAction & { group: Group }

const mostShown = 40
const mostRecent = 4

/** The entries that answer what was typed, best first within their groups; without a text what is possible, the recent first. */
export function entriesFor(typed: string, entries: readonly Entry[], recent: readonly string[]): Entry[] {
  if (typed.trim() === '') {
    const possible = entries.filter(({ reason }) => !reason)
    return inGroups(withRecent(possible, recent)).slice(0, mostShown)
  }
  const rank = (id: string) => (recent.includes(id) ? 0.5 : 0)
  const scored = entries.flatMap((entry) => {
    const score = matchScore(typed, entry.label)
    return score === null ? [] : [{ entry, score: score + rank(entry.id) }]
  })
  const best = scored.sort((a, b) => b.score - a.score).slice(0, mostShown)
  // The group of the best entry comes first, so that Enter does what was meant.
  const order = [...new Set(best.map(({ entry }) => entry.group))]
  return inGroups(
    best.map(({ entry }) => entry),
    order,
  )
}

function withRecent(entries: readonly Entry[], recent: readonly string[]): Entry[] {
  const shown = recent
    .flatMap((id) => entries.filter((entry) => entry.id === id && entry.group !== 'On this page'))
    .slice(0, mostRecent)
  const rest = entries.filter((entry) => !shown.includes(entry))
  return [...shown.map((entry) => ({ ...entry, group: 'Recent' as const })), ...rest]
}

function inGroups(entries: readonly Entry[], order: readonly Group[] = groups): Entry[] {
  return order.flatMap((group) => entries.filter((entry) => entry.group === group))
}
