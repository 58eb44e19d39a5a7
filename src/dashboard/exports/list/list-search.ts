import { z } from 'zod'
import { models } from '../../../contract/batch-export.ts'
import { destinationTypes } from '../../../contract/destination.ts'
import { intervals } from '../../../contract/interval.ts'
import { exportStates } from '../../../contract/overview.ts'

/** What the list can be sorted by; a minus before it turns it around. */
const sortKeys = ['name', 'state', 'windows', 'rows', 'next', 'destination'] as const
export type SortKey = (typeof sortKeys)[number]

const sorts = ['newest', ...sortKeys, ...sortKeys.map((key) => `-${key}` as const)] as const
export type Sort = (typeof sorts)[number]

export const groupings = ['none', 'state', 'destination'] as const

/** What the list shows when its address says nothing; a default does not appear in the address. */
export const listDefaults = {
  q: '',
  state: 'any',
  destination: 'any',
  model: 'any',
  interval: 'any',
  missing: false,
  sort: 'newest',
  group: 'none',
  scope: 'project',
} as const

/** The list's part of the address; what cannot be read heals to its default. */
export const ListSearch = z.object({
  q: z.coerce.string().catch(listDefaults.q).default(listDefaults.q),
  state: choice(exportStates),
  destination: choice(destinationTypes),
  model: choice(models),
  interval: choice(intervals),
  missing: z.boolean().catch(listDefaults.missing).default(listDefaults.missing),
  sort: z.enum(sorts).catch(listDefaults.sort).default(listDefaults.sort),
  group: z.enum(groupings).catch(listDefaults.group).default(listDefaults.group),
  scope: z.enum(['project', 'organization']).catch(listDefaults.scope).default(listDefaults.scope),
})
export type ListSearch = z.infer<typeof ListSearch>

function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .union([z.literal('any'), z.enum(values)])
    .catch('any')
    .default('any')
}

const filters = ['q', 'state', 'destination', 'model', 'interval', 'missing'] as const

/** The part of the address that hides rows, as it is when it hides none. */
export const noFilters = Object.fromEntries(filters.map((name) => [name, listDefaults[name]])) as Pick<
  typeof listDefaults,
  (typeof filters)[number]
>

export function isFiltered(search: ListSearch): boolean {
  return filters.some((name) => search[name] !== listDefaults[name])
}
