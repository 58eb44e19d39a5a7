import { Link } from '@tanstack/react-router'
import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { RelativeTime } from '../../ui/time.tsx'

type Affected = Incident['exports'][number]

/** The exports that an incident affects. */
export function AffectedTable({ exports }: { exports: readonly Affected[] }) {
  return (
    <DataTable
      caption="Exports of this incident"
      columns={columns}
      rows={exports}
      rowKey={({ id }) => id}
      error={null}
      onRetry={() => undefined}
      empty={null}
      filteredEmpty={null}
    />
  )
}

const columns: Column<Affected>[] = [
  {
    header: 'Export',
    fills: true,
    cell: ({ id, name }) => (
      <Link to="/exports/$id" params={{ id }} className="wrap-anywhere hover:underline">
        {name}
      </Link>
    ),
  },
  { header: 'Since', cell: ({ since }) => <RelativeTime time={since} /> },
  {
    header: 'Recovered',
    cell: ({ until }) =>
      until === null ? <span className="text-ink-3">not yet</span> : <RelativeTime time={until} />,
  },
]
