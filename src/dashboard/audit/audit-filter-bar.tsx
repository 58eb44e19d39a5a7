import { useRef } from 'react'
import type { AuditEntry } from '../../contract/audit/audit-entry.ts'
import { useAccount } from '../account.ts'
import { auditObjectChoices } from './audit-words.ts'
import { usePreferences } from '../format/preferences.ts'
import { zoneName } from '../format/time.ts'
import { Button } from '../ui/controls/button.tsx'
import { DayField } from '../ui/controls/day-field.tsx'
import { FilterField } from '../ui/controls/filter-field.tsx'
import { SelectChip } from '../ui/controls/select-chip.tsx'
import { Icon } from '../ui/icon.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { actionsOf, type AuditSearch } from './audit-filter.ts'

type FilterBarProps = {
  search: AuditSearch
  /** Entries that match, from which the names of a chosen actor and object are taken. */
  entries: readonly AuditEntry[] | undefined
  onChange: (change: AuditSearch) => void
  onClear: () => void
}

export function AuditFilterBar({ search, entries, onChange, onClear }: FilterBarProps) {
  const { projects } = useAccount()
  const { q = '', type, action, actor, object, project } = search
  const fieldRef = useRef<HTMLInputElement>(null)
  useKeys({ '/': { does: 'Search the audit log', run: () => fieldRef.current?.focus() } })
  const types = [['any', 'anything'], ...auditObjectChoices] as const
  const actions = [['any', 'any'], ...actionsOf(type).map((name) => [name, verbOf(name)] as const)] as const
  const places = [['any', 'all'], ...projects.map(({ id, name }) => [String(id), name] as const)] as const
  return (
    <div className="mt-3.5 mb-4 flex flex-wrap items-center gap-2">
      <FilterField
        ref={fieldRef}
        label="Name, address or value"
        shortcut="/"
        waitMs={200}
        value={q}
        onSearch={(typed) => onChange({ q: typed || undefined })}
      />
      <SelectChip<string>
        label="What"
        value={types.some(([name]) => name === type) ? (type ?? 'any') : 'any'}
        choices={types}
        onChange={(chosen) => onChange({ type: chosen === 'any' ? undefined : chosen, action: undefined })}
      />
      {actions.length > 2 && (
        <SelectChip<string>
          label="Action"
          value={actions.some(([name]) => name === action) ? (action ?? 'any') : 'any'}
          choices={actions}
          onChange={(chosen) => onChange({ action: chosen === 'any' ? undefined : chosen })}
        />
      )}
      {projects.length > 1 && (
        <SelectChip<string>
          label="Project"
          value={project === undefined ? 'any' : String(project)}
          choices={places}
          onChange={(chosen) => onChange({ project: chosen === 'any' ? undefined : Number(chosen) })}
        />
      )}
      <Days search={search} onChange={onChange} />
      {actor !== undefined && (
        <Chosen
          label={`Who: ${entries?.[0]?.actor.name ?? actor}`}
          onRemove={() => onChange({ actor: undefined })}
        />
      )}
      {object !== undefined && (
        <Chosen
          label={`Object: ${entries?.[0]?.object.name ?? object}`}
          onRemove={() => onChange({ object: undefined })}
        />
      )}
      {Object.keys(search).length > 0 && (
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  )
}

function Days({ search: { from = '', to = '' }, onChange }: Pick<FilterBarProps, 'search' | 'onChange'>) {
  const zone = zoneName(usePreferences().zone)
  return (
    <span className="flex items-center gap-1.5">
      <DayField
        label={`First day, ${zone} time`}
        date={from}
        size="control"
        onDate={(day) => onChange({ from: day || undefined })}
      />
      <span aria-hidden="true">–</span>
      <DayField
        label={`Last day, ${zone} time`}
        date={to}
        size="control"
        onDate={(day) => onChange({ to: day || undefined })}
      />
    </span>
  )
}

/** A filter chosen in the list, with a button that removes it. */
function Chosen({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button aria-label={`Remove the filter ${label}`} onClick={onRemove}>
      <span className="max-w-60 truncate">{label}</span> <Icon name="close" />
    </Button>
  )
}

/** Returns an action without its object: `role changed`. */
function verbOf(action: string): string {
  return action.slice(action.indexOf('.') + 1).replaceAll('_', ' ')
}
