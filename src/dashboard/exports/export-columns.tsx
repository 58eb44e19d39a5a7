import { Link } from '@tanstack/react-router'
import type { BatchExport } from '../../contract/batch-export.ts'
import type { Column } from '../ui/data-table.tsx'
import { destinationPlace } from '../words/destination.ts'
import { shortInterval } from '../words/interval.ts'
import { ExportMenu } from './export-actions.tsx'
import { ExportStatus, NextRun } from './export-status.tsx'
import { PauseSwitch } from './pause-switch.tsx'
import { RunStrip } from './run-strip.tsx'

/** The list of exports, column by column. */
export const exportColumns: Column<BatchExport>[] = [
  {
    header: 'Name',
    cell: (row) => (
      <>
        <Link
          to="/exports/$id"
          params={{ id: row.id }}
          className="inline-block max-w-[36vw] truncate align-middle font-medium hover:underline sm:max-w-64"
          title={row.name}
        >
          {row.name}
        </Link>
        <span className="ml-2 text-xs text-ink-3 max-sm:hidden">
          {shortInterval(row.interval)} · {row.model}
        </span>
      </>
    ),
  },
  { header: 'State', cell: (row) => <ExportStatus batchExport={row} /> },
  { header: 'Latest runs', cell: (row) => <RunStrip runs={row.latest_runs} />, hiddenBelow: 'sm' },
  { header: 'Next run', cell: (row) => <NextRun batchExport={row} />, hiddenBelow: 'md' },
  {
    header: 'Destination',
    cell: (row) => (
      <>
        {row.destination.type}{' '}
        <span className="mono text-ink-3" title={destinationPlace(row.destination)}>
          {destinationPlace(row.destination)}
        </span>
      </>
    ),
    grows: true,
    hiddenBelow: 'lg',
  },
  {
    header: 'Actions',
    silent: true,
    end: true,
    cell: (row) => (
      <span className="inline-flex items-center gap-2">
        <PauseSwitch batchExport={row} />
        <ExportMenu batchExport={row} />
      </span>
    ),
  },
]
