import { models, exportStates } from '../../../contract/exports/export-rules.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import { intervals } from '../../../contract/interval.ts'
import { anyText, flag, oneOf, or, searchParams } from '../../format/search-params.ts'

/** Sort keys of the list's columns; a leading minus reverses the order. */
const sortKeys = ['name', 'state', 'windows', 'rows', 'next', 'destination'] as const
export type SortKey = (typeof sortKeys)[number]

/** `urgency`: failing, then incomplete exports, each newest first. */
const sorts = ['urgency', ...sortKeys, ...sortKeys.map((key) => `-${key}` as const)] as const
export type Sort = (typeof sorts)[number]

export const groupings = ['none', 'state', 'destination'] as const

/** Values of the filter parameters at which no rows are hidden. */
export const noFilters = {
  q: '',
  state: 'any',
  destination: 'any',
  model: 'any',
  interval: 'any',
  tag: '',
  owner: '',
  missing: false,
} as const

/** Defaults of the URL parameters; omitted from the URL. */
export const listDefaults = { ...noFilters, sort: 'urgency', group: 'none', scope: 'project' } as const

/** The list's URL parameters; invalid values fall back to their defaults. */
export const ListSearch = searchParams({
  q: anyText,
  state: choice(exportStates),
  destination: choice(destinationTypes),
  model: choice(models),
  interval: choice(intervals),
  tag: anyText,
  owner: anyText,
  missing: or(flag, listDefaults.missing),
  sort: or(oneOf(sorts), listDefaults.sort),
  group: or(oneOf(groupings), listDefaults.group),
  scope: or(oneOf(['project', 'organization']), listDefaults.scope),
})
export type ListSearch = typeof ListSearch.types.output

function choice<const Value extends string>(values: readonly Value[]) {
  return or(oneOf(['any', ...values]), 'any')
}

export function isFiltered(search: ListSearch): boolean {
  return Object.entries(noFilters).some(([name, none]) => search[name as keyof typeof noFilters] !== none)
}

/** Returns the `project` parameter in the URL of an export's pages; undefined for the first project. */
export function projectParameter(row: { team_id: number }, projects: readonly { id: number }[]) {
  return row.team_id === projects[0]?.id ? undefined : row.team_id
}
