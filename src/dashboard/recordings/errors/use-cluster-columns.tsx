import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ErrorCluster } from '../../../contract/error-cluster.ts'
import { useAccount } from '../../account.ts'
import { recordingsByIdQuery } from '../../queries/recordings.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import type { Column } from '../../ui/list/data-table.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count } from '../../words/amount.ts'
import { clusterFilters } from './cluster-filters.ts'

/** The columns of the list of errors. `onOpen` shows the sessions of a cluster. */
export function useClusterColumns(
  clusters: readonly ErrorCluster[] | undefined,
  onOpen: (cluster: ErrorCluster) => void,
): Column<ErrorCluster>[] {
  const starts = useStartsOf(clusters)
  return useMemo(
    () => [
      { header: 'Error', grows: true, cell: (row) => <Message row={row} /> },
      { header: 'Last 7 days', hiddenBelow: 'sm', cell: (row) => <Sparkline values={byDay(row)} /> },
      { header: 'Count', end: true, cell: (row) => count(row.occurrences) },
      {
        header: 'Sessions',
        end: true,
        cell: (row) => (
          <Button look="quiet" onClick={() => onOpen(row)} aria-label={`Sessions with ${row.pattern}`}>
            {count(row.unique_sessions)}
          </Button>
        ),
      },
      { header: 'Last seen', hiddenBelow: 'sm', cell: (row) => <RelativeTime time={row.newest} /> },
      {
        header: 'Watched',
        end: true,
        hiddenBelow: 'md',
        cell: (row) => `${count(row.viewed)} of ${count(row.session_ids.length)}`,
      },
      {
        header: 'Watch',
        silent: true,
        end: true,
        cell: (row) => <WatchBest row={row} start={row.best ? starts.get(row.best.id) : undefined} />,
      },
    ],
    [starts, onOpen],
  )
}

/** Returns the start times (ms since the epoch) of the best recordings, for links to a moment in them. */
function useStartsOf(clusters: readonly ErrorCluster[] | undefined): ReadonlyMap<string, number> {
  const { projectId } = useAccount()
  const ids = [...new Set(clusters?.flatMap(({ best }) => best?.id ?? []))]
  const { data } = useQuery({ ...recordingsByIdQuery(projectId, ids), enabled: ids.length > 0 })
  return useMemo(
    () => new Map(data?.results.map(({ id, start_time: start }) => [id, Date.parse(start)])),
    [data],
  )
}

/** Seconds of a recording played before the error. */
const leadSeconds = 3

function WatchBest({ row, start }: { row: ErrorCluster; start: number | undefined }) {
  const { best } = row
  if (!best)
    return (
      <ButtonLink to="/recordings" reason="No sessions with this error were recorded.">
        Watch
      </ButtonLink>
    )
  const at = start === undefined ? 0 : (Date.parse(best.timestamp) - start) / 1000
  return (
    <ButtonLink
      to="/recordings/$id"
      params={{ id: best.id }}
      search={{ t: Math.max(0, Math.floor(at) - leadSeconds) }}
      aria-label={`Watch ${row.pattern}`}
    >
      Watch
    </ButtonLink>
  )
}

function Message({ row }: { row: ErrorCluster }) {
  return (
    <Link
      to="/recordings"
      search={clusterFilters(row)}
      title={row.sample}
      className="block truncate hover:underline"
      aria-label={`Recordings with this error: ${row.pattern}`}
    >
      <code>{row.pattern}</code>
    </Link>
  )
}

function byDay({ sparkline }: ErrorCluster): number[] {
  return Object.keys(sparkline)
    .sort()
    .map((day) => sparkline[day] ?? 0)
}
