import { useMemo, type ReactNode } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { windowAt, type Interval } from '../../../contract/interval.ts'
import { factsPeriod, periodInWords } from '../grid/period.ts'
import { useFailingSince, useRecentWindows } from '../grid/use-period.ts'
import { usePreferences } from '../../format/preferences.ts'
import { RelativeTime, ShortTime, WindowTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { count, counted, percent } from '../../format/amount.ts'
import { nextRunWindow, resumedWindow } from '../../format/export-state.ts'
import { outlastsInWords } from '../../format/time-left.ts'
import { duration, zoneName } from '../../format/time.ts'
import { coverageFacts, type CoverageFacts } from './coverage-facts.ts'
import { FailureMeter, NextRun } from './export-status.tsx'

/** Shows the key facts of an export at a glance. */
export function ExportFacts({ batchExport }: { batchExport: BatchExport }) {
  const { interval } = batchExport
  const { coverage, windows } = useRecentWindows(batchExport)
  const failing = useFailingSince(batchExport)
  const facts = useMemo(() => {
    if (!coverage || !windows) return undefined
    const { interval, end } = coverage
    return coverageFacts(interval, windows, windowAt(interval, Date.parse(end) - 1).start)
  }, [coverage, windows])
  const period = interval === 'week' ? 'a year' : periodInWords(factsPeriod(interval))
  return (
    <dl className="my-4 grid grid-cols-2 rounded-md border border-line bg-raised lg:grid-cols-4">
      <Fact
        name={interval === 'week' ? 'Rows, last week' : 'Rows, last 24 h'}
        value={facts ? count(facts.recent.records) : '–'}
      >
        {facts && recentInWords(facts)}
      </Fact>
      <Fact name="Complete since" value={facts ? <Complete facts={facts} /> : '–'}>
        {facts && `${gapsInWords(facts)} in ${period}`}
      </Fact>
      <Fact name="Typical run" value={facts?.usual ? duration(facts.usual.duration) : '–'}>
        {facts &&
          (facts.usual
            ? `${count(Math.round(facts.usual.recordsPerSecond))} rows/s, excluding waiting time`
            : `no window exported in ${period}`)}
        {facts?.usual && <Outlasts interval={interval} duration={facts.usual.duration} />}
      </Fact>
      <Fact name="Next run" value={<NextRun batchExport={batchExport} />}>
        {batchExport.paused ? (
          <Resumption batchExport={batchExport} />
        ) : (
          <NextWindow batchExport={batchExport} />
        )}
        {failing === null && <FailureMeter batchExport={batchExport} />}
      </Fact>
    </dl>
  )
}

function Fact({ name, value, children }: { name: string; value: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 border-line px-3.5 py-2.5 not-first:border-l max-lg:odd:border-l-0 max-lg:nth-[n+3]:border-t">
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="text-[16px] max-sm:text-[15px] leading-6 font-semibold">{value}</dd>
      <dd className="min-h-4 text-xs max-sm:min-h-8 text-ink-3">{children}</dd>
    </div>
  )
}

function Outlasts({ interval, duration: usual }: { interval: Interval; duration: number }) {
  const warning = outlastsInWords(interval, usual, 'takes')
  return warning && <span className="block text-fail-ink">{warning}</span>
}

function Complete({ facts: { completeSince, alwaysComplete } }: { facts: CoverageFacts }) {
  if (completeSince === null) return <>{alwaysComplete ? '–' : 'not complete'}</>
  return <ShortTime time={completeSince} />
}

function recentInWords({ recent, ofWeekBefore }: CoverageFacts): string {
  if (recent.windows === 0) return ''
  if (recent.exported < recent.windows)
    return `${count(recent.exported)} of ${counted(recent.windows, 'window')} exported`
  if (ofWeekBefore === null) return `from ${counted(recent.windows, 'window')}`
  const change = Math.abs(ofWeekBefore - 1)
  if (change < 0.005) return 'as many as the week before'
  return `${percent(change)} ${ofWeekBefore < 1 ? 'below' : 'above'} the week before`
}

function gapsInWords({ missing, failed, short, paused }: CoverageFacts): string {
  const gaps = [
    missing > 0 && `${count(missing)} missing`,
    failed > 0 && `${count(failed)} failed`,
    short > 0 && `${count(short)} short`,
    paused > 0 && `${count(paused)} skipped by a pause`,
  ].filter((text) => text !== false)
  return gaps.length === 0 ? 'no windows missing' : gaps.join(', ')
}

/** Says when a paused export resumes, and with which window. */
function Resumption({ batchExport }: { batchExport: BatchExport }) {
  const { zone } = usePreferences()
  const { paused_until: until } = batchExport
  if (until === null) return 'until the export is unpaused'
  const first = resumedWindow(batchExport)
  if (first === null) return 'the export ends before the pause does'
  return (
    <>
      resumes <RelativeTime time={until} /> with the window <WindowTime {...first} /> {zoneName(zone)}
    </>
  )
}

function NextWindow({ batchExport }: { batchExport: BatchExport }) {
  const { zone } = usePreferences()
  const start = useNow((now) => nextRunWindow(batchExport, now)?.start ?? null)
  if (start === null) return null
  return (
    <>
      <WindowTime {...windowAt(batchExport.interval, start)} /> {zoneName(zone)}
    </>
  )
}
