import type { ReactNode, RefObject } from 'react'
import { models, exportStates } from '../../../contract/exports/export-rules.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import { intervals } from '../../../contract/interval.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { shortInterval } from '../../format/interval.ts'
import { groupings, isFiltered, noFilters, type ListSearch } from './list-search.ts'

type FilterBarProps = {
  search: ListSearch
  onChange: (part: Partial<ListSearch>) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** Whether there are several projects to show. */
  offersOrganization: boolean
  /** Those of all exports. */
  tags: readonly string[]
  owners: readonly string[]
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

function Filters({ search, onChange, fieldRef, tags, owners, scope }: FiltersProps) {
  return (
    <>
      <SearchField
        ref={fieldRef}
        label="Filter exports"
        shortcut="/"
        value={search.q}
        onSearch={(q) => onChange({ q })}
      />
      <div className="flex items-center gap-2 max-sm:order-last max-sm:-m-1 max-sm:w-[calc(100%+8px)] max-sm:fade-hint max-sm:overflow-x-auto max-sm:p-1 sm:contents">
        {scope}
        <SelectChip
          label="State"
          value={search.state}
          choices={withAny(exportStates)}
          onChange={(state) => onChange({ state })}
        />
        <SelectChip
          label="Destination"
          value={search.destination}
          choices={withAny(destinationTypes)}
          onChange={(destination) => onChange({ destination })}
        />
        <SelectChip
          label="Model"
          value={search.model}
          choices={withAny(models)}
          onChange={(model) => onChange({ model })}
        />
        <SelectChip
          label="Interval"
          value={search.interval}
          choices={withAny(intervals, shortInterval)}
          onChange={(interval) => onChange({ interval })}
        />
        <TextChip label="Tag" value={search.tag} texts={tags} onChange={(tag) => onChange({ tag })} />
        <TextChip
          label="Owner"
          value={search.owner}
          texts={owners}
          onChange={(owner) => onChange({ owner })}
        />
        <SelectChip
          label="Group"
          value={search.group}
          choices={groupings.map((group) => [group, group] as const)}
          onChange={(group) => onChange({ group })}
        />
        {isFiltered(search) && (
          <Button look="quiet" onClick={() => onChange(noFilters)}>
            Clear
          </Button>
        )}
      </div>
    </>
  )
}

type TextChipProps = {
  label: string
  /** "" for any. */
  value: string
  texts: readonly string[]
  onChange: (value: string) => void
}

/** A choice of one text, hidden while there is nothing to choose from. */
function TextChip({ label, value, texts, onChange }: TextChipProps) {
  const choices = value === '' || texts.includes(value) ? texts : [value, ...texts]
  if (choices.length === 0) return null
  return (
    <SelectChip
      label={label}
      value={value}
      choices={[['', 'any'], ...choices.map((text) => [text, text] as const)]}
      onChange={onChange}
    />
  )
}

const scopes = [
  ['project', 'this project'],
  ['organization', 'organization'],
] as const

function withAny<Value extends string>(
  values: readonly Value[],
  words: (value: Value) => string = (value) => value,
): (readonly [Value | 'any', string])[] {
  return [['any', 'any'], ...values.map((value) => [value, words(value)] as const)]
}
