import type { Assignee } from '../../../contract/triage.ts'
import { FilterChip } from '../controls/filter-chip.tsx'

type AssigneeChipsProps = {
  /** `me`, `none` or the uuid of a member; undefined: assigned to anyone or nobody. */
  value: string | undefined
  /** Number of open ones that are assigned to the user. */
  mine: number | undefined
  /** Whether the user can have assignments. */
  isPerson: boolean
  /** The listed rows, of which one names the member of the filter. */
  rows: readonly { assignee: Assignee | null }[] | undefined
  onChange: (value: string | undefined) => void
}

/** Filters a list by who works on its rows. */
export function AssigneeChips({ value, mine, isPerson, rows, onChange }: AssigneeChipsProps) {
  const toggle = (choice: string) => () => onChange(value === choice ? undefined : choice)
  const other = value !== undefined && value !== 'me' && value !== 'none' ? value : null
  return (
    <fieldset aria-label="Assignee" className="flex flex-wrap gap-1">
      {isPerson && (
        <FilterChip pressed={value === 'me'} amount={mine} onClick={toggle('me')}>
          Mine
        </FilterChip>
      )}
      <FilterChip pressed={value === 'none'} onClick={toggle('none')}>
        Unassigned
      </FilterChip>
      {other !== null && (
        <FilterChip pressed onClick={toggle(other)}>
          Assigned to {rows?.[0]?.assignee?.name ?? 'one member'}
        </FilterChip>
      )}
    </fieldset>
  )
}
