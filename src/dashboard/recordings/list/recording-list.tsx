import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, use, useMemo, useState, type RefObject, useRef, type PointerEvent } from 'react'
import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import type { RecordingFilter, RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import type { Sorting } from '../../ui/list/list-head.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type List as ListOf, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { useWidth } from '../../ui/use-width.ts'
import { namedRecordings } from '../../format/recording-name.ts'
import { recordingActions, type RecordingContext, type RecordingDialog } from './actions.ts'
import { cardColumns, columnsOf } from './columns.tsx'
import { shownColumns } from './shown-columns.ts'
import { useViewPreference, type Density } from './view-preference.ts'
import { MatchedContext, useMatched } from './use-matched.ts'
import { ColumnChoice } from './view-controls.tsx'
import { ListAddress, OfOnePerson, startBefore } from './recording-cells.tsx'
import { call } from '../../api/call.ts'
import { showRecordings } from '../../queries/recordings/recordings.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'
import type { KeyMap } from '../../ui/use-keys.ts'

const ShareDialog = lazyNamed(() => import('../sharing/share-dialog.tsx'), 'ShareDialog')
const CollectDialog = lazyNamed(() => import('../collect/collect-dialog.tsx'), 'CollectDialog')
const SummarizeDialog = lazyNamed(() => import('../summary/summarize-dialog.tsx'), 'SummarizeDialog')

type RecordingTable = ListDescription<SessionRecording, RecordingContext, RecordingOrder>
type RecordingsList = ListOf<SessionRecording, RecordingContext, RecordingOrder>

const recordingTable = {
  caption: 'Recordings',
  noun: 'recording',
  noRowReason: 'Move to a recording first, with j or k.',
  named: namedRecordings,
  paletteId: 'recordings',
  renderAllMax: 50,
} satisfies Partial<RecordingTable>

/** Height (px) of a row, and of a card. */
const rowHeights: Record<Density, number> = { compact: 40, roomy: 88 }
const cardHeights: Record<Density, number> = { compact: 166, roomy: 318 }

/** Width (px) below which the table shows cards. */
const cardsBelow = 640

export type Order = Pick<RecordingsSearch, 'order' | 'order_direction'>

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
  /** The search field above the list. */
  fieldRef?: RefObject<HTMLInputElement | null>
  /** Whether the rows still belong to the previous filter or order while the current rows are being fetched. */
  outdated: boolean
  /** Further actions on the rows; the same object until they change. */
  furtherActions?: RecordingTable['actions'] | undefined
  /** Fetches the next page; undefined on the last page. */
  onMore: (() => void) | undefined
}

/** Shows the list of recordings, with its keys and dialogs. */
export function RecordingList(props: RecordingListProps) {
  const [width, ref] = useWidth()
  return <div ref={ref}>{width > 0 && <List {...props} width={width} />}</div>
}

/** `width`: of the table, in CSS pixels. */
function List(props: RecordingListProps & { width: number }) {
  const { description, choice } = useTable(props)
  const { rows, total, address, filter, order, onOrder, fieldRef, outdated, onMore } = props
  const { projectId, scopes } = useAccount()
  const [dialog, openDialog] = useState<RecordingDialog | null>(null)
  const matched = useMatched(filter, rows)
  const list = useList<SessionRecording, RecordingContext, RecordingOrder>({
    description,
    context: {
      client: useQueryClient(),
      projectId,
      filter,
      navigate: useNavigate(),
      placeOf: (row) => ({
        list: address || undefined,
        row: rows.indexOf(row),
        t: startBefore(matched.get(row.id)),
      }),
      openDialog,
    },
    scopes,
    rows,
    filterKey: address,
    hasMore: onMore !== undefined && !outdated,
  })
  useLateFacts(list)
  const { keys, drag } = useRangeSelection(list)
  useListKeys(list, { ...keys, '/': { does: 'Search', run: () => fieldRef?.current?.focus() } })
  const close = () => openDialog(null)
  return (
    <ListAddress value={address}>
      <MatchedContext value={matched}>
        <ColumnChoice value={choice}>
          <div {...drag}>
            <ListView
              list={list}
              total={total}
              sorting={sortingBy(order, onOrder)}
              outdated={outdated}
              onMore={onMore}
            />
          </div>
        </ColumnChoice>
      </MatchedContext>
      <Suspense>
        {dialog?.kind === 'share' && <ShareDialog rows={dialog.rows} onClose={close} />}
        {dialog?.kind === 'collect' && <CollectDialog rows={dialog.rows} filter={filter} onClose={close} />}
        {dialog?.kind === 'summarize' && <SummarizeDialog rows={dialog.rows} onClose={close} />}
      </Suspense>
    </ListAddress>
  )
}

/** Returns the table for this width and the browser's preference; the same object until its columns or rows change. */
function useTable(props: RecordingListProps & { width: number }) {
  const { rows, width, order, furtherActions } = props
  const ofOnePerson = use(OfOnePerson)
  const { density, columns: chosen } = useViewPreference()
  const isCards = width < cardsBelow
  const all = isCards ? cardColumns : columnsOf(density)
  const view = { rows, width, chosen, order: order.order }
  const headers = shownColumns(all, view)
    .map(({ header }) => header)
    .join()
  return useMemo(() => {
    const shown = headers.split(',')
    const columns = all.filter(({ header }) => shown.includes(header))
    const rowHeight = (isCards ? cardHeights : rowHeights)[density]
    const { person, ...others } = recordingActions
    const actions = { ...others, ...(!ofOnePerson && { person }), ...furtherActions }
    const description: RecordingTable = { ...recordingTable, actions, columns, rowHeight }
    const optional = all.flatMap(({ header, value }) => (value ? header : []))
    return { description, choice: { all: optional, shown: optional.filter((each) => shown.includes(each)) } }
  }, [all, headers, isCards, density, furtherActions, ofOnePerson])
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

/** Recordings per request. */
const idsMax = 50
/** Delays (ms) between requests: each that brings nothing doubles the next. */
const delayMs = { first: 3_000, max: 60_000 }

/**
 * Asks again for the facts of rendered rows whose recordings the service had not read when the list was loaded. Only the facts
 * change, so rows keep their places.
 */
function useLateFacts({ rows, tableRef }: RecordingsList): void {
  const { projectId } = useAccount()
  const missing = new Set(rows.flatMap(({ id, facts }) => (facts ? [] : id)))
  useQuery({
    // More rows, or other ones, start with a short delay.
    queryKey: ['lateFacts', projectId, rows.length, missing.size],
    enabled: missing.size > 0,
    queryFn: async ({ signal, client }) => {
      const rendered = tableRef.current?.querySelectorAll('tr[data-id]') ?? []
      const ids = [...rendered].flatMap((row) => rowIdOf(row) ?? []).filter((id) => missing.has(id))
      if (ids.length === 0) return 0
      const query = { session_ids: JSON.stringify(ids.slice(0, idsMax)), limit: idsMax, offset: 0 }
      const params = { project_id: projectId }
      const { results } = await call('listSessionRecordings', { params, query }, { signal })
      const late = new Map(results.flatMap(({ id, facts }) => (facts ? [[id, { facts }]] : [])))
      showRecordings(client, late)
      return late.size
    },
    // The list itself has just said that these facts are missing.
    initialData: 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }) =>
      Math.min(delayMs.max, delayMs.first * 2 ** (dataUpdateCount + errorUpdateCount)),
  })
}

/** Selects several rows at once: by dragging over their checkboxes, or with a digit, from the active row on. */
function useRangeSelection({ rows, active, select, selection }: RecordingsList) {
  /** The row whose checkbox was pressed, until the pointer reaches another row. */
  const pressed = useRef<string | null>(null)
  const isDragging = useRef(false)
  const start = (id: string) => {
    if (selection.ids.has(id)) select(id, false)
    select(id, false)
  }
  const keys: KeyMap = Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 9].map((amount) => [
      String(amount),
      {
        does: 'Select this many recordings',
        run: () => {
          const from = active ? rows.indexOf(active) : 0
          const [first, last] = [rows[from], rows[Math.min(from + amount, rows.length) - 1]]
          if (!first || !last) return
          start(first.id)
          select(last.id, true)
        },
      },
    ]),
  )
  return {
    keys,
    drag: {
      onPointerDown: ({ target, pointerType }: PointerEvent) => {
        isDragging.current = false
        const isBox = target instanceof Element && target.closest('label:has(input[type=checkbox])')
        pressed.current = isBox && pointerType === 'mouse' ? rowIdOf(target) : null
      },
      onPointerOver: ({ target, buttons }: PointerEvent) => {
        const id = target instanceof Element ? rowIdOf(target) : null
        if (buttons !== 1 || pressed.current === null || id === null) return
        if (!isDragging.current && id === pressed.current) return
        if (!isDragging.current) start(pressed.current)
        isDragging.current = true
        getSelection()?.removeAllRanges()
        select(id, true)
      },
    },
  }
}

function rowIdOf(element: Element): string | null {
  return element.closest('tr')?.getAttribute('data-id') ?? null
}
