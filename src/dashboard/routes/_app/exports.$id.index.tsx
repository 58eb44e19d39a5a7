import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { Suspense, memo, useDeferredValue, useMemo, useState } from 'react'
import { RunHistory } from '../../exports/runs/run-history.tsx'
import { statusChoices, statusesOf } from '../../exports/runs/run-filter.ts'
import { lifetimePeriod, lifetimeWindows, periodNames } from '../../exports/grid/period.ts'
import { useChosenPeriod, type ChosenPeriod } from '../../exports/grid/use-period.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { instant, oneOf, or, searchParams, text, uuid } from '../../format/search-params.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { windowStates } from '../../../contract/runs/window-state.ts'
import type { Interval } from '../../../contract/interval.ts'
import { useAccount } from '../../account.ts'
import { usePreferences, type Zone } from '../../format/preferences.ts'
import { coverageQuery, windowsOf } from '../../queries/exports/coverage.ts'
import { ledgerFlagsQuery } from '../../queries/exports/ledger.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { count } from '../../format/amount.ts'
import { zoneName } from '../../format/time.ts'
import { windowStateInWords } from '../../format/window-state.ts'
import { FlaggedLinks, flagsByStart, type FlagsByStart } from '../../exports/grid/flagged-links.tsx'
import { PeriodBar } from '../../exports/grid/period-bar.tsx'
import type { CoveredWindow } from '../../exports/grid/window-selection.ts'
import { SelectionPanel } from '../../exports/grid/selection-panel.tsx'
import { WindowGrid } from '../../exports/grid/window-grid.tsx'
import { WindowSwatch } from '../../exports/grid/window-shapes.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const RunDrawer = lazyNamed(() => import('../../exports/runs/run-drawer.tsx'), 'RunDrawer')

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
  const change = (part: Partial<Search>) =>
    void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })
  const open = (opened: string) => change({ run: opened })
  return (
    <>
      <CoverageSection
        // The key clears the selection when the export or its interval changes.
        key={`${id} ${batchExport.interval}`}
        batchExport={batchExport}
        chosen={chosen}
        onPeriod={(next) => change({ period: undefined, from: undefined, to: undefined, ...next })}
        onOpen={open}
      />
      <RunHistory
        key={id}
        batchExport={batchExport}
        filter={{ cursor, status, backfill }}
        onFilter={change}
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

type CoverageSectionProps = {
  batchExport: BatchExport
  chosen: ChosenPeriod
  onPeriod: (chosen: ChosenPeriod) => void
  onOpen: (runId: string) => void
}

const none: ReadonlySet<number> = new Set()
const noFlags: FlagsByStart = new Map()

/** Shows all windows of a period, and the actions for the selected ones. */
function CoverageSection(props: CoverageSectionProps) {
  const { batchExport, chosen, onPeriod, onOpen } = props
  const { projectId } = useAccount()
  const { zone } = usePreferences()
  const { interval, end_at: endAt } = batchExport
  const until = endAt === null ? undefined : Date.parse(endAt) - 1
  const { period, bounds } = useChosenPeriod(interval, chosen, lifetimePeriod(interval), until)
  /** Whether only the windows since the export's first one are shown. */
  const isLifetime = chosen.period === undefined && period !== null
  const [selected, setSelected] = useState(none)
  const query = useQuery(coverageQuery(projectId, batchExport.id, bounds))
  const { error, refetch, isPlaceholderData } = query
  const flagged = useQuery(ledgerFlagsQuery({ projectId, id: batchExport.id }, bounds))
  const flags = useMemo(() => (flagged.data ? flagsByStart(flagged.data) : noFlags), [flagged.data])
  // Drawing ten thousand windows takes a while; the deferred value keeps the page responsive meanwhile.
  const data = useDeferredValue(query.data)
  const covered = data && windowsOf(data)
  const lifetime = useMemo(() => covered && lifetimeWindows(interval, covered), [interval, covered])
  const windows = isLifetime ? lifetime?.shown : covered
  // The summary of a selection may lag behind a drag.
  const summarized = useDeferredValue(selected)
  // Known before the windows arrive, so that the grid is laid out once.
  const [width, column] = useWidth()
  return (
    <section aria-labelledby="windows" className="mb-6">
      <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 id="windows">
          Windows <span className="text-xs font-normal text-ink-3">{clockName(interval, zone)} time</span>
        </h2>
        <PeriodBar
          interval={interval}
          chosen={isLifetime && lifetime?.isWhole ? 'lifetime' : period}
          nothingEarlier={lifetime?.isWhole ? 'The export began in this period.' : null}
          offersLifetime
          bounds={bounds}
          onChange={onPeriod}
        />
      </div>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <div className="flex flex-col gap-4 lg:flex-row lg:items-start lg:gap-6">
        <div
          ref={column}
          className="line-while-busy flex min-w-0 flex-1 flex-col gap-2"
          aria-busy={isPlaceholderData}
        >
          {windows && data ? (
            <>
              <WindowGrid
                interval={data.interval}
                windows={windows}
                width={width}
                flags={flags}
                selected={selected}
                onSelect={setSelected}
                onOpen={onOpen}
              />
              <Legend windows={windows} />
              <FlaggedLinks exportId={batchExport.id} windows={windows} flags={flags} />
            </>
          ) : (
            !error && <output aria-label="Loading" className="appear-late block h-45 rounded-md bg-hover" />
          )}
        </div>
        {windows ? (
          <SelectionPanel
            batchExport={batchExport}
            windows={windows}
            flags={flags}
            selected={summarized}
            onSelect={setSelected}
          />
        ) : (
          // The place of the panel.
          <div className="w-80 shrink-0 max-lg:hidden" />
        )}
      </div>
    </section>
  )
}

/** Lists the states that occur, with their counts. */
const Legend = memo(function Legend({ windows }: { windows: readonly CoveredWindow[] }) {
  const found = Map.groupBy(windows, ({ state }) => state)
  return (
    <ul aria-label="Windows by state" className="flex flex-wrap gap-x-3.5 gap-y-1 text-xs text-ink-3">
      {windowStates
        .filter((state) => found.has(state))
        .map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <WindowSwatch state={state} />
            {count(found.get(state)?.length ?? 0)} {windowStateInWords(state)}
            {state === 'completed' && ' (stronger: more rows)'}
          </li>
        ))}
    </ul>
  )
})

/** Returns the name of the clock that the grid follows: UTC for whole days and weeks. */
function clockName(interval: Interval, zone: Zone): string {
  return interval === 'day' || interval === 'week' ? 'UTC' : zoneName(zone)
}
