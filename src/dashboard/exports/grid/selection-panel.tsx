import { memo, useMemo } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import { backfillRunsMax } from '../../../contract/runs/backfill-range.ts'
import { useAccount } from '../../account.ts'
import { usePreferences } from '../../format/preferences.ts'
import { useBackfillRanges } from '../../queries/exports/coverage.ts'
import { Button } from '../../ui/controls/button.tsx'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { WindowTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { duration, zoneName } from '../../format/time.ts'
import { windowStateInWords } from '../../format/window-state.ts'
import { FlaggedLinks, type FlagsByStart } from './flagged-links.tsx'
import {
  backfilledInWords,
  gapStates,
  mergeWindows,
  summarizeSelection,
  type CoveredWindow,
} from './window-selection.ts'
import { useMainActionInPanel } from './main-action.ts'
import { WindowSwatch } from './window-shapes.tsx'

type SelectionPanelProps = {
  batchExport: BatchExport
  windows: readonly CoveredWindow[]
  flags: FlagsByStart
  selected: ReadonlySet<number>
  onSelect: (starts: ReadonlySet<number>) => void
}

/** Shows the selected windows and the effect of backfilling them; without a selection, explains how to select. */
export const SelectionPanel = memo(function SelectionPanel(props: SelectionPanelProps) {
  const chosen = props.windows.filter(({ start }) => props.selected.has(start))
  return (
    <section
      aria-label="Selected windows"
      className="flex flex-col items-start gap-2 rounded-md border border-line bg-raised p-3.5 lg:min-h-50 lg:w-80 lg:shrink-0 print:hidden"
    >
      {chosen.length === 0 ? <NothingSelected {...props} /> : <Selected {...props} chosen={chosen} />}
    </section>
  )
})

function NothingSelected({ windows, onSelect }: Pick<SelectionPanelProps, 'windows' | 'onSelect'>) {
  const gaps = windows.filter(({ state }) => gapStates.has(state))
  const skipped = windows.filter(({ state }) => state === 'paused')
  const select = (chosen: readonly CoveredWindow[]) => onSelect(new Set(chosen.map(({ start }) => start)))
  return (
    <>
      <output className="block font-medium">
        {gaps.length === 0
          ? 'No windows need repair in this period'
          : `${counted(gaps.length, 'window')} ${gaps.length === 1 ? 'needs' : 'need'} repair`}
      </output>
      <p className="text-ink-2">
        Drag over windows to select and backfill them. By keyboard: arrow keys, with Shift to select.
      </p>
      <div className="flex flex-wrap gap-2">
        {gaps.length > 0 && (
          <Button onClick={() => select(gaps)}>
            Select {gaps.length === 1 ? 'it' : `all ${count(gaps.length)}`}
          </Button>
        )}
        {skipped.length > 0 && (
          <Button onClick={() => select(skipped)}>Select the {count(skipped.length)} skipped</Button>
        )}
      </div>
    </>
  )
}

type SelectedProps = SelectionPanelProps & { chosen: readonly CoveredWindow[] }

function Selected(props: SelectedProps) {
  const { batchExport, windows, flags, chosen, onSelect } = props
  const { zone } = usePreferences()
  const { states, needingBackfill, recordsResent } = summarizeSelection(chosen)
  const usual = useMemo(() => usualRun(windows), [windows])
  const amount = needingBackfill.length || chosen.length
  const ranges = mergeWindows(chosen).length
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
          {ranges > 1 && `, in ${count(ranges)} ranges`}
        </p>
      )}
      <StateCounts states={states} recordsResent={recordsResent} />
      <FlaggedLinks exportId={batchExport.id} windows={chosen} flags={flags} />
      <BackfillButtons {...props} needingBackfill={needingBackfill} />
      <p className="text-xs text-ink-3">
        {usual &&
          `About ${count(rounded(usual.records * amount))} rows, ${duration(usual.duration * amount)} of work. `}
        Existing files are replaced, not duplicated.
      </p>
    </>
  )
}

type BackfillButtonsProps = SelectedProps & { needingBackfill: readonly CoveredWindow[] }

function BackfillButtons({ batchExport, chosen, needingBackfill, onSelect }: BackfillButtonsProps) {
  const { projectId, scopes } = useAccount()
  const backfill = useBackfillRanges(projectId, batchExport.id)
  const start = (what: readonly CoveredWindow[]) => {
    const label = counted(what.length, 'window')
    sendLater({
      verb: 'backfill',
      on: [batchExport.id],
      label: `Backfilling ${label} of ${batchExport.name}`,
      done: `The backfill of ${label} has started.`,
      failed: `${label} could not be backfilled.`,
      send: () => backfill(mergeWindows(what)),
      onUndo: () => onSelect(new Set(what.map(({ start }) => start))),
    })
    onSelect(new Set())
  }
  const tooMany = `A backfill has at most ${count(backfillRunsMax)} runs. Select fewer windows.`
  const reason = (amount: number) =>
    exportCan.backfill(batchExport, scopes) ?? (amount > backfillRunsMax ? tooMany : null)
  const again = (
    <Button reason={reason(chosen.length)} onClick={() => start(chosen)}>
      Backfill {chosen.length === 1 ? 'it' : `all ${count(chosen.length)}`}
      {needingBackfill.length === 0 && ' again'}
    </Button>
  )
  useMainActionInPanel(needingBackfill.length > 0)
  if (needingBackfill.length === 0) return again
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" reason={reason(needingBackfill.length)} onClick={() => start(needingBackfill)}>
        Backfill the {backfilledInWords(needingBackfill)}
      </Button>
      {needingBackfill.length < chosen.length && again}
    </div>
  )
}

type StateCountsProps = Pick<ReturnType<typeof summarizeSelection>, 'states' | 'recordsResent'>

function StateCounts({ states, recordsResent }: StateCountsProps) {
  return (
    <ul className="flex flex-col gap-1">
      {[...states].map(([state, { length: amount }]) => (
        <li key={state} className="flex gap-2">
          <span className="pt-0.5">
            <WindowSwatch state={state} />
          </span>
          <span>
            {count(amount)} {windowStateInWords(state)}
            {state === 'completed' && recordsResent > 0 && (
              <>
                :{' '}
                <b className="font-semibold text-short-ink">
                  {counted(recordsResent, 'row')} would be sent again
                </b>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Returns the medians of the completed runs; null if there are fewer than three. */
function usualRun(windows: readonly CoveredWindow[]) {
  const runs = windows.flatMap(({ state, run }) => (state === 'completed' && run ? [run] : []))
  if (runs.length < 3) return null
  return {
    records: median(runs.map(({ records }) => records)),
    duration: median(runs.map(({ duration }) => duration ?? 0)),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Rounds to two significant digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(2))
}
