import { useState } from 'react'
import type { Person } from '../../../contract/recordings/person.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { actionsColumn } from '../../ui/list/list-column.ts'
import { NoMatches } from '../../ui/list/list-notes.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** A person's properties, with a search over their names and values. */
export function PersonProperties({ person }: { person: Person }) {
  const [search, setSearch] = useState('')
  const all = propertiesOf(person)
  const empty = Object.keys(person.properties).length - all.length
  const emptyInWords = empty === 1 ? '1 property is empty.' : `${empty} properties are empty.`
  const part = search.trim().toLowerCase()
  const rows = all.filter(({ name, text }) => `${name} ${text}`.toLowerCase().includes(part))
  const noMatches = <NoMatches title="No matches" clear="Clear the search" onClear={() => setSearch('')} />
  return (
    <section aria-label="Properties" className="flex flex-col gap-3">
      {all.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchField label="Search properties" value={search} onSearch={setSearch} />
          {person.created_at && (
            <span className="text-ink-3">
              Known since <RelativeTime time={person.created_at} />
            </span>
          )}
          {empty > 0 && <span className="text-ink-3">{emptyInWords}</span>}
        </div>
      )}
      <DataTable
        caption="Properties of the person"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        error={null}
        onRetry={() => undefined}
        empty={
          <EmptyState title="No properties">
            {person.uuid === null
              ? 'This visitor was never identified, so there is no profile: only recordings and events.'
              : 'The site has not set any property of this person.'}
          </EmptyState>
        }
        filteredEmpty={all.length === 0 ? null : noMatches}
      />
    </section>
  )
}

type Property = { name: string; text: string }

/** Returns the properties that are not empty, by name: the site's own before those that posthog-js adds (`$…`). */
export function propertiesOf(person: Person): Property[] {
  const isAdded = ({ name }: Property) => Number(name.startsWith('$'))
  return Object.entries(person.properties)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({ name, text: typeof value === 'string' ? value : JSON.stringify(value) }))
    .toSorted((a, b) => isAdded(a) - isAdded(b) || a.name.localeCompare(b.name))
}

const columns: Column<Property>[] = [
  {
    header: 'Property',
    cell: ({ name }) => (
      <span className="block max-w-[32vw] truncate" title={name}>
        {name}
      </span>
    ),
  },
  { header: 'Value', fills: true, cell: ({ text }) => <span className="wrap-anywhere">{text}</span> },
  { ...actionsColumn, cell: ({ name, text }) => <CopyButton name={name} text={text} /> },
]
