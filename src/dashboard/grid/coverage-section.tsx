import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { BatchExport } from '../../contract/batch-export.ts'
import { decodeCoverage, windowStates, type WindowState } from '../../contract/coverage.ts'
import type { Window } from '../../contract/interval.ts'
import { useAccount } from '../account.ts'
import { usePreferences } from '../preferences.ts'
import { coverageQuery } from '../queries/coverage.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { count } from '../words/amount.ts'
import { zoneName } from '../words/time.ts'
import { windowStateInWords } from '../words/window-state.ts'
import { PeriodBar } from './period-bar.tsx'
import type { PeriodName } from './period.ts'
import type { CoveredWindow } from './selection.ts'
import { SelectionPanel } from './selection-panel.tsx'
import { WindowGrid } from './window-grid.tsx'
import { WindowSwatch } from './window-shapes.tsx'

type CoverageSectionProps = {
  batchExport: BatchExport
  /** null: a period of one's own. */
  period: PeriodName | null
  bounds: Window
  onPeriod: (period: PeriodName) => void
  onBounds: (bounds: Window) => void
  onOpen: (runId: string) => void
}

const none: ReadonlySet<number> = new Set()

/** All windows of a period, and what can be done about them. */
export function CoverageSection(props: CoverageSectionProps) {
  const { batchExport, period, bounds, onPeriod, onBounds, onOpen } = props
  const { projectId } = useAccount()
  const [selected, setSelected] = useState(none)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    coverageQuery(projectId, batchExport.id, bounds),
  )
  const windows = useMemo(() => data && decodeCoverage(data), [data])
  const { interval } = batchExport
  return (
    <section aria-labelledby="windows" className="mb-6">
      <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 id="windows">Windows</h2>
        <PeriodBar
          interval={interval}
          chosen={period}
          bounds={bounds}
          onChoose={onPeriod}
          onBounds={onBounds}
        />
      </div>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {windows && data ? (
        <div className="flex flex-col gap-4 lg:flex-row lg:items-start lg:gap-6">
          <div
            className={`flex min-w-0 flex-1 flex-col gap-2 ${isPlaceholderData ? 'opacity-60' : ''}`}
            aria-busy={isPlaceholderData}
          >
            <WindowGrid
              interval={data.interval}
              windows={windows}
              selected={selected}
              onSelect={setSelected}
              onOpen={onOpen}
            />
            <Legend windows={windows} interval={data.interval} />
          </div>
          <SelectionPanel
            batchExport={batchExport}
            windows={windows}
            selected={selected}
            onSelect={setSelected}
          />
        </div>
      ) : (
        !error && <output aria-label="Loading" className="appear-late block h-45 rounded-md bg-hover" />
      )}
    </section>
  )
}

/** The states that occur, how often, and by which clock the windows stand. */
function Legend({ windows, interval }: { windows: readonly CoveredWindow[]; interval: string }) {
  const { zone } = usePreferences()
  const counts = new Map<WindowState, number>()
  for (const { state } of windows) counts.set(state, (counts.get(state) ?? 0) + 1)
  const clock = interval === 'day' || interval === 'week' ? 'UTC' : zoneName(zone)
  return (
    <ul aria-label="Windows by state" className="flex flex-wrap gap-x-3.5 gap-y-1 text-xs text-ink-3">
      {windowStates
        .filter((state) => counts.has(state))
        .map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <WindowSwatch state={state} />
            {count(counts.get(state) ?? 0)} {windowStateInWords(state)}
            {state === 'completed' && ' (darker: more rows)'}
          </li>
        ))}
      <li className="ml-auto">{clock} time</li>
    </ul>
  )
}
