import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { Window } from '../../../contract/interval.ts'
import {
  ledgerStates,
  verifyModes,
  type Ledger,
  type LedgerState,
  type VerifyMode,
} from '../../../contract/runs/ledger.ts'
import { useAccount } from '../../account.ts'
import { downloadLedger, ledgerQuery, useVerify, useVerifyMode } from '../../queries/exports/ledger.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { NoMatches } from '../../ui/list/list-notes.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { count, counted } from '../../format/amount.ts'
import { ledgerInWords, ledgerStateInWords, verifyModeInWords } from '../../format/ledger.ts'
import { ledgerColumns } from './ledger-columns.tsx'
import { LedgerStrip, LedgerSwatch } from './ledger-strip.tsx'

type Source = { projectId: string; id: string }
type LedgerSectionProps = {
  batchExport: BatchExport
  bounds: Window
  cursor: string | undefined
  /** Whether the period is the one that the page shows first. */
  isUsualPeriod: boolean
  onCursor: (cursor: string | undefined) => void
  onDefaultPeriod: () => void
}

const none: ReadonlySet<string> = new Set()

/** States of windows that a verification can read back. */
const recordedStates: readonly LedgerState[] = ['proven', 'unverified', 'refuted', 'unreadable']

/** Shows, window by window, whether the exported rows are proven to be at the destination. */
export function LedgerSection(props: LedgerSectionProps) {
  const { batchExport, bounds, cursor, isUsualPeriod, onCursor, onDefaultPeriod } = props
  const { projectId } = useAccount()
  const source = { projectId, id: batchExport.id }
  const { data, error, isPlaceholderData, refetch } = useQuery(ledgerQuery(source, bounds, cursor))
  const controls = useLedgerControls(source, bounds, batchExport.name, data)
  const { selected, select, verify, reason } = controls
  return (
    <section aria-label="Ledger" className="flex flex-col gap-3">
      {data && data.totals.windows > 0 && (
        <>
          <LedgerHead ledger={data} {...controls} />
          <LedgerStrip ledger={data} />
          <Legend totals={data.totals} />
          <VerifyButtons ledger={data} bounds={bounds} {...controls} />
        </>
      )}
      <DataTable
        caption="Windows, newest first"
        columns={ledgerColumns({
          selected,
          onSelect: select,
          reason,
          onVerify: verify,
          isTable: data?.results.some(({ entry }) => Boolean(entry?.window_query)) === true,
        })}
        rows={data?.results}
        rowKey={({ start, end }) => `${start} ${end}`}
        outdated={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No windows in this period">
            <p>A window is listed here after its end, with proof of delivery.</p>
          </EmptyState>
        }
        filteredEmpty={
          isUsualPeriod ? null : (
            <NoMatches
              title="No windows in this period"
              clear="Show the default period"
              onClear={onDefaultPeriod}
            />
          )
        }
      />
      {data && <CursorPager newer={data.previous} older={data.next} onChange={onCursor} />}
    </section>
  )
}

const ledgerFiles = ['csv', 'receipt'] as const
const downloadLabels = { csv: 'Download CSV', receipt: 'Download receipt' }

/** Returns what can be done with the ledger of a period, and offers it in the palette, too. */
function useLedgerControls(source: Source, bounds: Window, name: string, ledger: Ledger | undefined) {
  const { scopes } = useAccount()
  const [selected, setSelected] = useState(none)
  const verification = useVerify(source)
  const verifyMode = useVerifyMode(source)
  const [isDownloading, setDownloading] = useState(false)
  const reason = writeReason(scopes) ?? unverifiable(ledger)
  const verify = (windows: readonly string[] | Window) =>
    verification.mutate(windows, {
      onSuccess: ({ total }) => {
        setSelected(none)
        toast(`Verifying ${counted(total, 'window')}.`)
      },
      onError: toastFailure('The windows could not be verified.'),
    })
  const setMode = (mode: VerifyMode) =>
    verifyMode.mutate(mode, { onError: toastFailure('The setting could not be saved.') })
  const download = (kind: (typeof ledgerFiles)[number]) => {
    setDownloading(true)
    const file = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${kind === 'csv' ? 'ledger.csv' : 'receipt.json'}`
    downloadLedger(source, bounds, kind, file)
      .catch(toastFailure('The file could not be downloaded.'))
      .finally(() => setDownloading(false))
  }
  usePaletteActions([
    { id: 'ledger verify', label: 'Verify all windows', reason, run: () => verify(bounds) },
    ...verifyModes
      .filter((mode) => mode !== ledger?.verify)
      .map((mode) => ({
        id: `ledger verify ${mode}`,
        label: `Verify ${verifyModeInWords(mode)}`,
        reason: writeReason(scopes),
        run: () => setMode(mode),
      })),
    ...ledgerFiles.map((kind) => ({
      id: `ledger download ${kind}`,
      label: downloadLabels[kind],
      run: () => download(kind),
    })),
  ])
  return {
    /** Starts of windows. */
    selected,
    select: (window: string, on: boolean) =>
      setSelected((now) => new Set(on ? [...now, window] : [...now].filter((other) => other !== window))),
    /** Why nothing can be verified; null if it can. */
    reason,
    verify,
    isVerifying: verification.isPending,
    /** The mode that is being saved. */
    nextMode: verifyMode.isPending ? verifyMode.variables : undefined,
    setMode,
    download,
    isDownloading,
  }
}

type Controls = ReturnType<typeof useLedgerControls>

/** Sums the ledger up, with the choice when windows are verified without a request, and the downloads. */
function LedgerHead({ ledger, nextMode, setMode, download, isDownloading }: Controls & { ledger: Ledger }) {
  const { scopes } = useAccount()
  const mode = nextMode ?? ledger.verify
  const reason = writeReason(scopes)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="mr-auto font-medium">{ledgerInWords(ledger.totals)}.</p>
      {reason === null ? (
        <SelectChip
          label="Verify"
          value={mode}
          choices={verifyModes.map((each) => [each, verifyModeInWords(each)] as const)}
          onChange={setMode}
        />
      ) : (
        <Button reason={reason}>Verify {verifyModeInWords(mode)}</Button>
      )}
      {ledgerFiles.map((kind) => (
        <Button key={kind} busy={isDownloading} onClick={() => download(kind)}>
          {downloadLabels[kind]}
        </Button>
      ))}
    </div>
  )
}

/** Returns the number of windows that a verification can read back. */
function recordedWindows({ totals }: Ledger): number {
  return recordedStates.reduce((sum, state) => sum + (totals.states[state] ?? 0), 0)
}

/** Returns why no window can be verified now; null if one can. */
function unverifiable(ledger: Ledger | undefined): string | null {
  if (ledger?.verification?.status === 'Running') return 'A verification is in progress.'
  return ledger && recordedWindows(ledger) > 0 ? null : 'No run has been recorded in this period.'
}

type VerifyButtonsProps = Controls & { ledger: Ledger; bounds: Window }

function VerifyButtons({ ledger, bounds, selected, reason, isVerifying, verify }: VerifyButtonsProps) {
  const recorded = recordedWindows(ledger)
  const noSelection = selected.size === 0 ? 'Select windows in the table first.' : null
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <Button look="primary" reason={reason} busy={isVerifying} onClick={() => verify(bounds)}>
        Verify all{recorded > 0 && ` ${count(recorded)}`}
      </Button>
      <Button reason={reason ?? noSelection} busy={isVerifying} onClick={() => verify([...selected])}>
        Verify selected{selected.size > 0 && ` (${count(selected.size)})`}
      </Button>
      <VerificationProgress verification={ledger.verification} />
    </div>
  )
}

function Legend({ totals }: Pick<Ledger, 'totals'>) {
  return (
    <ul aria-label="Windows by state" className="flex flex-wrap gap-x-3.5 gap-y-1 text-xs text-ink-3">
      {ledgerStates
        .filter((state) => totals.states[state])
        .map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <LedgerSwatch state={state} />
            {count(totals.states[state] ?? 0)} {ledgerStateInWords(state)}
          </li>
        ))}
    </ul>
  )
}

function VerificationProgress({ verification }: Pick<Ledger, 'verification'>) {
  return (
    <output aria-live="polite" className="flex items-center gap-2 text-ink-2">
      {verification?.status === 'Running' && (
        <>
          <Progress share={verification.done / verification.total} label="Windows verified" />
          {count(verification.done)} of {count(verification.total)} verified
        </>
      )}
    </output>
  )
}
