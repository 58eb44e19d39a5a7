import { Link } from '@tanstack/react-router'
import type { Incident } from '../../../contract/alert-incident.ts'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { RelativeTime } from '../../ui/time.tsx'

type Concerned = Incident['exports'][number]

/** The exports that an incident concerns. */
export function ConcernedTable({ exports }: { exports: readonly Concerned[] }) {
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

const columns: Column<Concerned>[] = [
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
