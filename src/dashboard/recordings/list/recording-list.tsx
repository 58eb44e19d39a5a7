import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, type RefObject } from 'react'
import type { RecordingOrder } from '../../../contract/recording-filter.ts'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import type { RecordingFilter, RecordingsSearch } from '../../queries/recordings-search.ts'
import type { Sorting } from '../../ui/list/list-head.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { namedRecordings } from '../../words/recording-name.ts'
import { recordingActions, type RecordingContext, type RecordingDialog } from './actions.ts'
import { ListAddress, recordingColumns } from './columns.tsx'

const ShareDialog = lazy(() =>
  import('../sharing/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)
const SummarizeDialog = lazy(() =>
  import('../summary/summarize-dialog.tsx').then((module) => ({ default: module.SummarizeDialog })),
)

const recordingList: ListDescription<SessionRecording, RecordingContext, RecordingOrder> = {
  caption: 'Recordings',
  noun: 'recording',
  noRowReason: 'Move to a recording first, with j or k.',
  named: namedRecordings,
  actions: recordingActions,
  paletteId: 'recordings',
  columns: recordingColumns,
  rowHeight: 40,
  renderAllMax: 50,
}

type Order = Pick<RecordingsSearch, 'order' | 'order_direction'>

type RecordingListProps = {
  /** The loaded rows, in order. */
  rows: readonly SessionRecording[]
  /** Number of matching recordings on the service; null if the exact number is unknown. */
  total: number | null
  /** The list's query string, without the question mark. */
  address: string
  filter: RecordingFilter
  order: Order
  onOrder: (order: Order) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** Whether the rows still belong to the previous filter or order while the current rows are being fetched. */
  outdated: boolean
  /** Fetches the next page; undefined on the last page. */
  onMore: (() => void) | undefined
}

/** Shows the list of recordings, with its keys and dialogs. */
export function RecordingList(props: RecordingListProps) {
  const { rows, total, address, filter, order, onOrder, fieldRef, outdated, onMore } = props
  const { projectId, scopes } = useAccount()
  const [dialog, openDialog] = useState<RecordingDialog | null>(null)
  const list = useList({
    description: recordingList,
    context: {
      client: useQueryClient(),
      projectId,
      filter,
      navigate: useNavigate(),
      placeOf: (row) => ({ list: address || undefined, row: rows.indexOf(row) }),
      openDialog,
    },
    scopes,
    rows,
    filterKey: address,
    hasMore: onMore !== undefined && !outdated,
  })
  useListKeys(list, { '/': { does: 'Search', run: () => fieldRef.current?.focus() } })
  const close = () => openDialog(null)
  return (
    <ListAddress value={address}>
      <ListView
        list={list}
        total={total}
        sorting={sortingBy(order, onOrder)}
        outdated={outdated}
        onMore={onMore}
      />
      <Suspense>
        {dialog?.kind === 'share' && <ShareDialog rows={dialog.rows} onClose={close} />}
        {dialog?.kind === 'summarize' && <SummarizeDialog rows={dialog.rows} onClose={close} />}
      </Suspense>
    </ListAddress>
  )
}

/** Sorts by a column on the first click, largest or newest first; reverses the order on the next. */
function sortingBy(now: Order, onOrder: (order: Order) => void): Sorting<RecordingOrder> {
  return {
    orderOf: (order) => {
      if (now.order !== order) return undefined
      return now.order_direction === 'ASC' ? 'ascending' : 'descending'
    },
    onSort: (order) => {
      const reversed = now.order === order && now.order_direction === 'DESC'
      onOrder({ order, order_direction: reversed ? 'ASC' : 'DESC' })
    },
  }
}
