import type { PageVisit } from './fact-log.ts'
import { pathName } from './page-path.ts'
import { readable } from './readable-text.ts'

const separator = /\s+[|–—·•:»-]\s+/

/**
 * Names pages by their titles, without the site name that titles repeat. Uses the path for a page without a title, or with
 * a title shared by other pages.
 */
export function pageNames(visits: readonly PageVisit[]): Map<PageVisit, string> {
  const parts = new Map(visits.map((visit) => [visit, partsOf(visit.title)]))
  const titles = new Map(visits.map((visit) => [visit.path, visit.title]))
  const shared = sharedPart([...titles.values()].filter(Boolean))
  const names = visits.map((visit) => {
    const own = parts.get(visit)?.filter((part) => part !== shared) ?? []
    return [visit, readable(own.join(' – '), 60) ?? pathName(visit.path)] as const
  })
  const pathsOf = Map.groupBy(names, ([, name]) => name)
  const isVague = (name: string) => new Set(pathsOf.get(name)?.map(([visit]) => visit.path)).size > 1
  return new Map(names.map(([visit, name]) => [visit, isVague(name) ? pathName(visit.path) : name]))
}

/** Returns the first or last part shared by all titles, of which there must be at least two. */
function sharedPart(titles: readonly string[]): string | null {
  const [first = [], ...others] = titles.map(partsOf)
  const isShared = (part: string | undefined) => others.every((parts) => parts.includes(part ?? ''))
  return others.length === 0 ? null : ([first.at(-1), first[0]].find(isShared) ?? null)
}

function partsOf(title: string): string[] {
  return title.split(separator).filter((part) => part.trim() !== '')
}
