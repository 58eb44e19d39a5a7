import { exportCan, type BatchExport } from '../../contract/batch-export.ts'
import type { WindowState } from '../../contract/coverage.ts'
import { maximumBackfillRuns } from '../../contract/backfill-range.ts'
import { useAccount } from '../account.ts'
import { usePreferences } from '../preferences.ts'
import { useBackfillRanges } from '../queries/coverage.ts'
import { Button } from '../ui/button.tsx'
import { sendLater } from '../ui/send-later.ts'
import { WindowTime } from '../ui/time.tsx'
import { count, counted } from '../words/amount.ts'
import { duration, zoneName } from '../words/time.ts'
import { windowStateInWords } from '../words/window-state.ts'
import { holes, mergeWindows, summarize, type CoveredWindow } from './selection.ts'
import { WindowSwatch } from './window-shapes.tsx'

type SelectionPanelProps = {
  batchExport: BatchExport
  windows: readonly CoveredWindow[]
  selected: ReadonlySet<number>
  onSelect: (starts: ReadonlySet<number>) => void
}

/** What is selected in the grid, and what a backfill of it would do; without a selection, how to make one. */
export function SelectionPanel({ batchExport, windows, selected, onSelect }: SelectionPanelProps) {
  const chosen = windows.filter(({ start }) => selected.has(start))
  return (
    <section
      aria-label="Selected windows"
      className="flex flex-col items-start gap-2 rounded-md border border-line bg-raised p-3.5 lg:w-80 lg:shrink-0 print:hidden"
    >
      {chosen.length === 0 ? (
        <NothingSelected windows={windows} onSelect={onSelect} />
      ) : (
        <Selected batchExport={batchExport} windows={windows} chosen={chosen} onSelect={onSelect} />
      )}
    </section>
  )
}

function NothingSelected({ windows, onSelect }: Pick<SelectionPanelProps, 'windows' | 'onSelect'>) {
  const found = windows.filter(({ state }) => holes.has(state))
  return (
    <>
      <output className="block font-medium">
        {found.length === 0 ? 'Nothing to mend in this period' : `${counted(found.length, 'window')} to mend`}
      </output>
      <p className="text-ink-2">
        Drag over windows to backfill exactly those. By keyboard: arrows, with Shift to select.
      </p>
      {found.length > 0 && (
        <Button onClick={() => onSelect(new Set(found.map(({ start }) => start)))}>
          Select {found.length === 1 ? 'it' : `all ${count(found.length)}`}
        </Button>
      )}
    </>
  )
}

type SelectedProps = Omit<SelectionPanelProps, 'selected'> & { chosen: readonly CoveredWindow[] }

function Selected({ batchExport, windows, chosen, onSelect }: SelectedProps) {
  const { projectId, scopes } = useAccount()
  const { zone } = usePreferences()
  const backfill = useBackfillRanges(projectId, batchExport.id)
  const { states, needy, recordsAgain } = summarize(chosen)
  const forbidden = exportCan.backfill(batchExport, scopes)
  const start = (what: readonly CoveredWindow[]) => {
    const left = mergeWindows(what)
    const label = counted(what.length, 'window')
    sendLater({
      verb: 'backfill',
      on: [batchExport.id],
      label: `Backfilling ${label} of ${batchExport.name}.`,
      done: `The backfill of ${label} has started.`,
      failed: `Not all of the ${label} could be backfilled.`,
      send: () => backfill.mutateAsync(left),
      onUndo: () => onSelect(new Set(what.map(({ start }) => start))),
    })
    onSelect(new Set())
  }
  const [first, last] = [chosen[0], chosen.at(-1)]
  return (
    <>
      <div className="flex w-full items-center gap-2">
        <output className="font-medium">{counted(chosen.length, 'window')} selected</output>
        <span className="ml-auto">
          <Button look="quiet" onClick={() => onSelect(new Set())}>
            Clear
          </Button>
        </span>
      </div>
      {first && last && (
        <p className="text-ink-2">
          <WindowTime start={first.start} end={last.end} /> {zoneName(zone)}
          {mergeWindows(chosen).length > 1 && `, in ${count(mergeWindows(chosen).length)} ranges`}
        </p>
      )}
      <StateCounts states={states} recordsAgain={recordsAgain} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          reason={
            forbidden ?? (needy.length === 0 ? 'Everything selected is exported, or about to be.' : null)
          }
          onClick={() => start(needy)}
        >
          {needy.length === 1
            ? 'Backfill the 1 that needs it'
            : `Backfill the ${count(needy.length)} that need it`}
        </Button>
        {needy.length < chosen.length && (
          <Button reason={forbidden ?? tooMany(chosen.length)} onClick={() => start(chosen)}>
            Backfill all {count(chosen.length)}
          </Button>
        )}
      </div>
      <p className="text-xs text-ink-3">
        {estimate(windows, needy.length || chosen.length)}Files keep their names: one that is there is
        replaced, not doubled.
      </p>
    </>
  )
}

type StateCountsProps = { states: ReadonlyMap<WindowState, number>; recordsAgain: number }

function StateCounts({ states, recordsAgain }: StateCountsProps) {
  return (
    <ul className="flex flex-col gap-1">
      {[...states].map(([state, amount]) => (
        <li key={state} className="flex gap-2">
          <span className="pt-0.5">
            <WindowSwatch state={state} />
          </span>
          <span>
            {count(amount)} {windowStateInWords(state)}
            {state === 'completed' && recordsAgain > 0 && (
              <>
                :{' '}
                <b className="font-semibold text-short-ink">
                  {counted(recordsAgain, 'row')} would be sent again
                </b>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A single range may have only so many runs. */
function tooMany(amount: number): string | null {
  return amount > maximumBackfillRuns
    ? `One backfill makes at most ${count(maximumBackfillRuns)} runs: select fewer windows.`
    : null
}

/** About how many rows so many windows have and how long their runs take, by the completed ones of the period. */
function estimate(windows: readonly CoveredWindow[], amount: number): string {
  const runs = windows.flatMap(({ state, run }) => (state === 'completed' && run ? [run] : []))
  if (runs.length < 3) return ''
  const rows = median(runs.map(({ records }) => records)) * amount
  const time = median(runs.map(({ duration }) => duration ?? 0)) * amount
  return `About ${count(rounded(rows))} rows, ${duration(time)} of work. `
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** To two digits that count. */
function rounded(value: number): number {
  return Number(value.toPrecision(2))
}
