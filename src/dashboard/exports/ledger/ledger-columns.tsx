import { Link } from '@tanstack/react-router'
import type { LedgerState, LedgerWindow } from '../../../contract/runs/ledger.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import type { Column } from '../../ui/list/data-table.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime, WindowTime } from '../../ui/time.tsx'
import { bytes, count, counted } from '../../format/amount.ts'
import { ledgerFlagInWords } from '../../format/ledger-flags.ts'
import { checksumInWords, ledgerStateInWords, proofInWords } from '../../format/ledger.ts'
import type { Tone } from '../../format/run-status.ts'

type VerifyControls = {
  selected: ReadonlySet<string>
  onSelect: (start: string, on: boolean) => void
  /** Why windows cannot be verified. */
  reason: string | null
  onVerify: (starts: readonly string[]) => void
  /** The windows are in a table, which has a query instead of objects. */
  isTable: boolean
}

/** The columns of the ledger's table. */
export function ledgerColumns({
  selected,
  onSelect,
  reason,
  onVerify,
  isTable,
}: VerifyControls): Column<LedgerWindow>[] {
  return [
    {
      header: 'Select',
      silent: true,
      hiddenBelow: 'sm',
      cell: ({ start, end, entry }) =>
        entry && (
          <label className="flex size-6 items-center justify-center">
            <input
              type="checkbox"
              checked={selected.has(start)}
              onChange={(event) => onSelect(start, event.target.checked)}
            />
            <span className="sr-only">
              Select <WindowTime start={start} end={end} />
            </span>
          </label>
        ),
    },
    {
      header: 'Window',
      wraps: true,
      cell: ({ start, end, entry }) =>
        entry ? (
          <Link
            to="/runs/$runId"
            params={{ runId: entry.run }}
            title="Show the run"
            className="hover:underline"
          >
            <WindowTime start={start} end={end} />
          </Link>
        ) : (
          <WindowTime start={start} end={end} />
        ),
    },
    { header: 'State', fills: true, cell: (window) => <State window={window} /> },
    { header: 'Expected', end: true, hiddenBelow: 'md', cell: ({ entry }) => rowCount(entry?.rows_expected) },
    { header: 'Written', end: true, hiddenBelow: 'sm', cell: ({ entry }) => rowCount(entry?.rows_written) },
    { header: 'Read back', end: true, hiddenBelow: 'sm', cell: ({ entry }) => rowCount(entry?.rows_read) },
    isTable
      ? {
          header: 'Query',
          end: true,
          hiddenBelow: 'md',
          cell: ({ entry }) =>
            entry?.window_query && <CopyButton name="the query of its rows" text={entry.window_query} />,
        }
      : { header: 'Objects', end: true, hiddenBelow: 'md', cell: ({ entry }) => <Objects entry={entry} /> },
    {
      header: 'Verified',
      hiddenBelow: 'lg',
      cell: ({ entry }) => (entry?.verified_at ? <RelativeTime time={entry.verified_at} /> : 'never'),
    },
    {
      header: 'Actions',
      silent: true,
      end: true,
      cell: ({ start, entry }) =>
        entry && (
          <Button look="quiet" reason={reason} onClick={() => onVerify([start])}>
            Verify
          </Button>
        ),
    },
  ]
}

function rowCount(number: number | null | undefined) {
  return <span className="tabular-nums">{number === null || number === undefined ? '–' : count(number)}</span>
}

const tones: Record<LedgerState, Tone> = {
  proven: 'ok',
  unverified: 'quiet',
  sent: 'quiet',
  refuted: 'failed',
  unreadable: 'stopped',
  unrecorded: 'quiet',
  missing: 'failed',
  pending: 'running',
  skipped: 'quiet',
}

/** The state in words, its flags, and why the destination could not be read. */
function State({ window: { state, flags, rows_usual, entry } }: { window: LedgerWindow }) {
  const notes = flags.map((flag) => {
    if (flag === 'late') return `${counted(entry?.late_rows ?? 0, 'row')} arrived late`
    if ((flag === 'zero' || flag === 'unusual') && rows_usual !== null)
      return `${ledgerFlagInWords(flag)} (usually about ${count(rows_usual)})`
    return ledgerFlagInWords(flag)
  })
  return (
    <span className="flex flex-col">
      <Status tone={tones[state]}>{capitalized(ledgerStateInWords(state))}</Status>
      {notes.length > 0 && <span className="text-xs text-ink-2">{capitalized(notes.join(', '))}</span>}
      {state === 'proven' && entry && <span className="text-xs text-ink-2">{proofInWords(entry)}</span>}
      {entry?.erasure && (
        <Link
          to="/erasures/$id"
          params={{ id: entry.erasure }}
          className="text-xs text-run-ink underline-offset-3 hover:underline"
        >
          Certificate of the erasure
        </Link>
      )}
      {entry?.problem && <span className="text-xs break-words text-ink-2">{entry.problem}</span>}
    </span>
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function Objects({ entry }: Pick<LedgerWindow, 'entry'>) {
  if (!entry) return <>–</>
  if (entry.object_count === 0) return <span className="text-ink-3">none</span>
  const names = entry.objects.map((object) => `${object.key} (${checksumInWords(object)})`).join('\n')
  return (
    <span title={names}>
      {count(entry.object_count)} ({bytes(entry.bytes)})
    </span>
  )
}
