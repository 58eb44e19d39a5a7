import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, type RefObject } from 'react'
import type { RecordingOrder } from '../../../contract/recording-filter.ts'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import type { RecordingsSearch } from '../../queries/recordings-search.ts'
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
  one: 'recording',
  chooseFirst: 'Choose a recording first, with j and k.',
  named: namedRecordings,
  actions: recordingActions,
  paletteId: 'recordings',
  columns: recordingColumns,
  rowHeight: 40,
  drawnWholeMax: 50,
}

type Order = Pick<RecordingsSearch, 'order' | 'order_direction'>

type RecordingListProps = {
  /** The rows that are loaded, in their order. */
  rows: readonly SessionRecording[]
  /** How many there are on the service; null when that is not known exactly. */
  total: number | null
  /** The list's address after the question mark. */
  address: string
  order: Order
  onOrder: (order: Order) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** The rows are those of another filter or order. */
  outdated: boolean
  /** Fetches the next page; undefined when there is none. */
  onMore: (() => void) | undefined
}

/** The list of recordings, with its keys and its dialogs. */
export function RecordingList(props: RecordingListProps) {
  const { rows, total, address, order, onOrder, fieldRef, outdated, onMore } = props
  const { projectId, scopes } = useAccount()
  const [dialog, openDialog] = useState<RecordingDialog | null>(null)
  const list = useList({
    description: recordingList,
    context: {
      client: useQueryClient(),
      projectId,
      navigate: useNavigate(),
      placeOf: (row) => ({ list: address || undefined, row: rows.indexOf(row) }),
      openDialog,
    },
    scopes,
    rows,
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

/** One click sorts, the most or newest first; another reverses the order. */
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
