import { useCallback } from 'react'
import type { ReactNode } from 'react'
import type { BatchExport } from '../../contract/batch-export.ts'
import { usePreferences } from '../preferences.ts'
import { RelativeTime, WindowTime } from '../ui/time.tsx'
import { useOfNow } from '../ui/use-of-now.ts'
import { count, counted } from '../words/amount.ts'
import { runDuration } from '../words/export-state.ts'
import { comingWindows, everyInterval } from '../words/interval.ts'
import { duration, zoneName } from '../words/time.ts'
import { NextRun } from './export-status.tsx'

/** What somebody wants to know about an export at a glance. */
export function ExportFacts({ batchExport }: { batchExport: BatchExport }) {
  const completed = batchExport.latest_runs.filter((run) => run.status === 'Completed')
  const [newest] = completed
  const rows = completed.reduce((sum, run) => sum + run.records_completed, 0)
  const usual = completed
    .map((run) => runDuration(run, 0))
    .sort((a, b) => a - b)
    .at(Math.floor(completed.length / 2))
  const { length: known } = batchExport.latest_runs
  const noneCompleted = known === 0 ? 'no runs yet' : 'none of the latest has completed'
  return (
    <dl className="my-4 grid grid-cols-2 rounded-md border border-line bg-raised lg:grid-cols-4">
      <Fact name="Rows, latest runs" value={newest ? count(rows) : '–'}>
        {newest ? `in ${counted(completed.length, 'completed run')}` : noneCompleted}
      </Fact>
      <Fact
        name="Newest complete window"
        value={newest ? <RelativeTime time={newest.data_interval_end} /> : '–'}
      >
        {newest ? (
          <WindowTime start={newest.data_interval_start} end={newest.data_interval_end} />
        ) : (
          noneCompleted
        )}
      </Fact>
      <Fact name="Usual run" value={usual === undefined ? '–' : duration(usual)}>
        {everyInterval(batchExport.interval)}
      </Fact>
      <Fact name="Next run" value={<NextRun batchExport={batchExport} />}>
        <NextWindow batchExport={batchExport} />
      </Fact>
    </dl>
  )
}

function Fact({ name, value, children }: { name: string; value: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 border-line px-3.5 py-2.5 not-first:border-l max-lg:odd:border-l-0 max-lg:nth-[n+3]:border-t">
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="truncate text-[16px] leading-6 font-semibold">{value}</dd>
      <dd className="text-xs text-ink-3">{children}</dd>
    </div>
  )
}

function NextWindow({ batchExport }: { batchExport: BatchExport }) {
  const { zone } = usePreferences()
  const start = useOfNow(
    useCallback((now: number) => comingWindows(batchExport, now, 1)[0]?.start ?? null, [batchExport]),
  )
  const end = useOfNow(
    useCallback((now: number) => comingWindows(batchExport, now, 1)[0]?.end ?? null, [batchExport]),
  )
  if (batchExport.paused || start === null || end === null) return null
  return (
    <>
      <WindowTime start={start} end={end} /> {zoneName(zone)}
    </>
  )
}
