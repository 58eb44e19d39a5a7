import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import { RunHistory, type RunFilter } from '../../exports/runs/run-history.tsx'
import { statusChoices, statusesOf } from '../../exports/runs/run-filter.ts'
import { CoverageSection } from '../../exports/grid/coverage-section.tsx'
import { lifetimePeriod, periodNames } from '../../exports/grid/period.ts'
import { useChosenPeriod } from '../../exports/grid/use-chosen-period.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { instant, oneOf, or, searchParams, text, uuid } from '../../format/search-params.ts'

const RunDrawer = lazy(() =>
  import('../../exports/runs/run-drawer.tsx').then((module) => ({ default: module.RunDrawer })),
)

const defaults = { status: 'any' } as const

const search = searchParams({
  cursor: text,
  status: or(oneOf(statusChoices), defaults.status),
  backfill: uuid,
  run: text,
  period: oneOf(periodNames),
  from: instant,
  to: instant,
})
type Search = typeof search.types.output

export const Route = createFileRoute('/_app/exports/$id/')({
  validateSearch: search,
  search: { middlewares: [stripSearchParams(defaults)] },
  loaderDeps: ({ search: { cursor, status, backfill } }) => ({ cursor, status, backfill }),
  loader: ({ context: { queryClient, projectId }, params: { id }, deps: { cursor, status, backfill } }) => {
    void queryClient.prefetchQuery(runsQuery(projectId, id, { cursor, status: statusesOf(status), backfill }))
  },
  component: RunsTab,
})

function RunsTab() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { cursor, status, backfill, run, ...chosen } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const { period, bounds } = useChosenPeriod(
    batchExport.interval,
    chosen,
    lifetimePeriod(batchExport.interval),
    batchExport.end_at === null ? undefined : Date.parse(batchExport.end_at) - 1,
  )
  const change = useCallback(
    (part: Partial<Search>) => void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false }),
    [navigate],
  )
  const open = useCallback((opened: string) => change({ run: opened }), [change])
  return (
    <>
      <CoverageSection
        // The key clears the selection when the export or its interval changes.
        key={`${id} ${batchExport.interval}`}
        batchExport={batchExport}
        period={period}
        isLifetime={chosen.period === undefined && period !== null}
        bounds={bounds}
        onPeriod={(next) => change({ period: next, from: undefined, to: undefined })}
        onLifetime={() => change({ period: undefined, from: undefined, to: undefined })}
        onBounds={({ start, end }) =>
          change({ period: undefined, from: new Date(start).toISOString(), to: new Date(end).toISOString() })
        }
        onOpen={open}
      />
      <RunHistory
        key={id}
        batchExport={batchExport}
        filter={{ cursor, status, backfill }}
        onFilter={(part: Partial<RunFilter>) => change(part)}
        onOpen={open}
      />
      <Suspense>
        {run && (
          <RunDrawer key={run} batchExportId={id} runId={run} onClose={() => change({ run: undefined })} />
        )}
      </Suspense>
    </>
  )
}
