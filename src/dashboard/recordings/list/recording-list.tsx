import { lazy, Suspense, useMemo, useState, type RefObject } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { reportFailures, useFailureReport } from '../../ui/feedback/failure-report.ts'
import { useRowSelection } from '../../ui/list/use-row-selection.ts'
import { RecordingTable } from './recording-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import type { Sorting } from './table-head.tsx'
import { useAct, type Shown } from './use-act.ts'
import { useListKeys } from './use-list-keys.ts'

const ShareDialog = lazy(() =>
  import('../sharing/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)
const SummarizeDialog = lazy(() =>
  import('../summary/summarize-dialog.tsx').then((module) => ({ default: module.SummarizeDialog })),
)
const FailuresDialog = lazy(() =>
  import('../../ui/feedback/failures-dialog.tsx').then((module) => ({ default: module.FailuresDialog })),
)

type RecordingListProps = {
  /** Those that are loaded, in their order. */
  rows: readonly SessionRecording[]
  total: number | null
  /** The list's address after the question mark. */
  list: string
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  fieldRef: RefObject<HTMLInputElement | null>
  outdated: boolean
  hasMore: boolean
  onMore: () => void
}

/** The table with its selection, its keys, and what they open. */
export function RecordingList({ fieldRef, ...rest }: RecordingListProps) {
  const { rows, list } = rest
  const [shown, setShown] = useState<Shown | null>(null)
  const report = useFailureReport()
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { tableRef, activeId, setActive, selection, onSelect, toggleAll, clear } = useRowSelection(ids)
  const { act, progress } = useAct({ onShow: setShown, onDelete: clear })
  const selected = useMemo(() => rows.filter(({ id }) => selection.ids.has(id)), [rows, selection])
  useListKeys({
    rows,
    active: rows.find(({ id }) => id === activeId) ?? null,
    onActive: setActive,
    selected,
    onSelect,
    onClear: clear,
    onAct: act,
    tableRef,
    fieldRef,
    list,
  })
  const close = () => setShown(null)
  return (
    <>
      <RecordingTable
        {...rest}
        tableRef={tableRef}
        selection={selection}
        onSelect={onSelect}
        onSelectAll={() => toggleAll(ids)}
        activeId={activeId}
        onFocus={setActive}
        onAct={act}
      />
      {selected.length > 0 && (
        <SelectionBar rows={selected} progress={progress} onAct={act} onClear={clear} />
      )}
      <Suspense>
        {shown?.what === 'share' && <ShareDialog rows={shown.rows} onClose={close} />}
        {shown?.what === 'summarize' && <SummarizeDialog rows={shown.rows} onClose={close} />}
        {report && <FailuresDialog report={report} onClose={() => reportFailures(null)} />}
      </Suspense>
    </>
  )
}
