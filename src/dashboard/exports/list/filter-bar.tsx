import { useMemo, type ReactNode, type RefObject } from 'react'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { models, exportStates } from '../../../contract/exports/export-rules.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import { intervals } from '../../../contract/interval.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FilterField } from '../../ui/controls/filter-field.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { shortInterval } from '../../format/interval.ts'
import { distinctTexts } from './arrange.ts'
import { groupings, isFiltered, noFilters, type ListSearch } from './list-search.ts'

type FilterBarProps = {
  search: ListSearch
  onChange: (part: Partial<ListSearch>) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** Whether there are several projects to show. */
  offersOrganization: boolean
  /** All exports. */
  rows: readonly ExportOverview[]
  /** Whether there are no exports to filter. */
  empty: boolean
}

/** Shows the list's filters and grouping; the URL stores their values. */
export function FilterBar(props: FilterBarProps) {
  const { search, onChange, offersOrganization, empty } = props
  const scope = (offersOrganization || search.scope === 'organization') && (
    <SelectChip label="In" value={search.scope} choices={scopes} onChange={(scope) => onChange({ scope })} />
  )
  return (
    <div className="mt-3.5 mb-1 flex flex-wrap items-center gap-2">
      {empty ? scope : <Filters {...props} scope={scope} />}
    </div>
  )
}

type FiltersProps = Omit<FilterBarProps, 'offersOrganization' | 'empty'> & { scope: ReactNode }

/** Parameters of which one value is chosen. */
type Chosen = 'state' | 'destination' | 'model' | 'interval' | 'tag' | 'owner' | 'group'

function Filters({ search, onChange, fieldRef, rows, scope }: FiltersProps) {
  const tags = useMemo(() => distinctTexts(rows.flatMap(({ tags }) => tags)), [rows])
  const owners = useMemo(() => distinctTexts(rows.map(({ owner }) => owner)), [rows])
  const chip = <Name extends Chosen>(label: string, name: Name, choices: Choices<ListSearch[Name]>) => (
    <SelectChip
      label={label}
      value={search[name]}
      choices={choices}
      onChange={(value) => onChange({ [name]: value })}
    />
  )
  /** A choice of one text, hidden while there is nothing to choose from. */
  const textChip = (label: string, name: 'tag' | 'owner', texts: readonly string[]) => {
    const known = search[name] === '' || texts.includes(search[name]) ? texts : [search[name], ...texts]
    return known.length > 0 && chip(label, name, [['', 'any'], ...choicesOf(known)])
  }
  return (
    <>
      <FilterField
        ref={fieldRef}
        label="Filter exports"
        shortcut="/"
        value={search.q}
        onSearch={(q) => onChange({ q })}
      />
      <div className="flex items-center gap-2 max-sm:order-last max-sm:-m-1 max-sm:w-[calc(100%+8px)] max-sm:fade-hint max-sm:overflow-x-auto max-sm:p-1 sm:contents">
        {scope}
        {chip('State', 'state', withAny(exportStates))}
        {chip('Destination', 'destination', withAny(destinationTypes))}
        {chip('Model', 'model', withAny(models))}
        {chip('Interval', 'interval', withAny(intervals, shortInterval))}
        {textChip('Tag', 'tag', tags)}
        {textChip('Owner', 'owner', owners)}
        {chip('Group', 'group', choicesOf(groupings))}
        {isFiltered(search) && (
          <Button look="quiet" onClick={() => onChange(noFilters)}>
            Clear
          </Button>
        )}
      </div>
    </>
  )
}

type Choices<Value> = readonly (readonly [Value, string])[]

const scopes = [
  ['project', 'this project'],
  ['organization', 'organization'],
] as const

function choicesOf<Value extends string>(
  values: readonly Value[],
  words: (value: Value) => string = (value) => value,
): Choices<Value> {
  return values.map((value) => [value, words(value)] as const)
}

function withAny<Value extends string>(
  ...values: Parameters<typeof choicesOf<Value>>
): Choices<Value | 'any'> {
  return [['any', 'any'], ...choicesOf(...values)]
}
