import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { possibleRows, reasonAgainstAll, type ListAction, type Perform } from './list-action.ts'
import type { ListColumn } from './list-column.ts'
import { useFocusOnNeighbour } from './row-focus.ts'
import { nothingSelected, rangeTo, toggled, toggledAll, type Selection } from './selection.ts'

/** The fixed properties of a kind of list: its texts, actions and columns. */
export type ListDescription<Row, Context, Sort extends string = never> = {
  caption: string
  /** Noun for a row: "export". */
  noun: string
  /** Names one row, or counts several: "Orders", "3 exports". */
  named: (rows: readonly Row[]) => string
  /** In the order of the row menu; the property names are part of the palette entries' ids. */
  actions: Readonly<Record<string, ListAction<Row, Context>>>
  /** Prefix of the palette entries' ids. */
  paletteId: string
  columns: readonly ListColumn<Row, Context, Sort>[]
  /** Height (px) of a row. */
  rowHeight: number
  /** Lists of at most this length are rendered completely, so that the browser can search and print them. */
  renderAllMax: number
  /** The list is part of a larger page: arrow keys scroll the page, and a row is active only while it is focused. */
  isEmbedded?: boolean
  /** Columns fit their content and the table scrolls sideways; otherwise the header row sets the widths. */
  fitsContent?: boolean
  /** Additional classes of the table. */
  tableClassName?: string
}

export type List<Row extends { id: string }, Context, Sort extends string = never> = ReturnType<
  typeof useList<Row, Context, Sort>
>
/** The part of a list that its rows use. */
export type RowList<Row extends { id: string }, Context, Sort extends string> = List<
  Row,
  Context,
  Sort
>['rowList']

type ListOptions<Row, Context, Sort extends string> = {
  description: ListDescription<Row, Context, Sort>
  /** Passed to the actions, such as the query client. */
  context: Context
  scopes: readonly string[]
  /** The shown rows, in order. */
  rows: readonly Row[]
  /** The rows that match the filters, if `rows` is deferred. */
  matching?: readonly Row[]
  /** All selectable rows, including those that the filters hide. */
  all?: readonly Row[]
  /** Identifies the filters. */
  filterKey?: string
  /** Whether more rows match the filters than are loaded. */
  hasMore?: boolean
}

/** Holds a list's state: its selection, its active row and whether an action is being sent. */
export function useList<Row extends { id: string }, Context, Sort extends string = never>({
  description,
  context,
  scopes,
  rows,
  matching = rows,
  all = rows,
  filterKey = '',
  hasMore = false,
}: ListOptions<Row, Context, Sort>) {
  const tableRef = useRef<HTMLTableElement>(null)
  const [activeId, setActive] = useState<string | null>(null)
  const [selection, storeSelection] = useState(nothingSelected)
  /** The filters whose matches are all selected. */
  const [matchedKey, setMatchedKey] = useState<string | null>(null)
  /** What the header checkbox has selected while more could be loaded, and the filters at that time. */
  const [headed, setHeaded] = useState<{ selection: Selection; filterKey: string } | null>(null)
  const setSelection = useCallback((change: (now: Selection) => Selection) => {
    setMatchedKey(null)
    storeSelection(change)
  }, [])
  const shownIds = useMemo(() => rows.map(({ id }) => id), [rows])
  const matchingIds = useMemo(() => matching.map(({ id }) => id), [matching])
  const selected = useMemo(() => all.filter(({ id }) => selection.ids.has(id)), [all, selection])
  /** Toggles a row; with `range`, selects all rows from the anchor to this one. */
  const select = useCallback(
    (id: string, range: boolean) =>
      setSelection((now) => (range ? rangeTo(now, id, shownIds) : toggled(now, id))),
    [shownIds, setSelection],
  )
  const clear = useCallback(() => setSelection(() => nothingSelected), [setSelection])
  /** Whether everything that matches the filters is selected, loaded or not. */
  const allMatching = matchedKey === filterKey
  const selectedCount = useMemo(
    () => matchingIds.filter((id) => selection.ids.has(id)).length,
    [matchingIds, selection],
  )
  const isFull = matchingIds.length > 0 && selectedCount === matchingIds.length
  // More rows may have been loaded since.
  const wasFull = selection.ids.size > 0 && headed?.selection === selection && headed.filterKey === filterKey
  const canSelectMore = isFull ? hasMore : wasFull
  useFocusOnNeighbour({ shownIds, activeId, onActive: setActive, tableRef })
  const { perform, performAll, busy } = usePerform<Row, Context>(scopes, context, clear)
  // The same object until the rows depend on a change: others render no row again.
  const rowList = useMemo(
    () => ({ description, scopes, setActive, select, perform }),
    [description, scopes, select, perform],
  )
  return {
    ...rowList,
    rowList,
    rows,
    /** Whether all, some or none of the rows that the header checkbox selects are selected. */
    selectedPart: isFull ? 'all' : selectedCount > 0 ? 'some' : 'none',
    shownIds,
    tableRef,
    /** The row on which keys act. */
    active: rows.find(({ id }) => id === activeId) ?? null,
    selection,
    setSelection,
    selected,
    selectAll: () => {
      const next = toggledAll(selection, matchingIds)
      setSelection(() => next)
      setHeaded(hasMore ? { selection: next, filterKey } : null)
    },
    clear,
    allMatching,
    /**
     * Selects everything that matches the filters; null if nothing more matches, or rows that were shown are not selected.
     */
    selectAllMatching: canSelectMore && !allMatching ? () => setMatchedKey(filterKey) : null,
    performAll,
    /** Whether an action is being sent. */
    busy,
  }
}

/** Returns a `perform` that stays the same function while the context changes. */
function usePerform<Row, Context>(scopes: readonly string[], context: Context, clear: () => void) {
  const [busy, setBusy] = useState(false)
  const latest = useRef(context)
  useEffect(() => {
    latest.current = context
  })
  const track = useCallback((performing: void | Promise<void>) => {
    if (!performing) return
    setBusy(true)
    void performing.finally(() => setBusy(false))
  }, [])
  const perform: Perform<Row, Context> = useCallback(
    (action, targets) => {
      const rows = possibleRows(action, targets, scopes)
      if (rows.length === 0) return
      if (action.clearsSelection) clear()
      track(action.perform(rows, latest.current))
    },
    [scopes, clear, track],
  )
  const performAll = (action: ListAction<Row, Context>) => {
    if (reasonAgainstAll(action, scopes) !== null) return
    clear()
    track(action.performAll?.(latest.current))
  }
  return { perform, performAll, busy }
}
