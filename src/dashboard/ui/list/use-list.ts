import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { possibleFor, type ListAction, type Perform } from './list-action.ts'
import type { ListColumn } from './list-column.ts'
import { useFocusOnNeighbour } from './row-focus.ts'
import { nothingSelected, rangeTo, toggled, toggledAll, type Selection } from './selection.ts'

/** What distinguishes one list from another: its words, actions and columns. */
export type ListDescription<Row, Context, Sort extends string = never> = {
  caption: string
  /** A row in words: "export". */
  one: string
  /** Said where a key needs a row and none is active. */
  chooseFirst: string
  /** One row by its name, several by their number. */
  named: (rows: readonly Row[]) => string
  /** In the order of the row menu; the names also name the palette's entries. */
  actions: Readonly<Record<string, ListAction<Row, Context>>>
  /** Prefix of the names of the palette's entries. */
  paletteId: string
  columns: readonly ListColumn<Row, Context, Sort>[]
  /** In pixels. */
  rowHeight: number
  /** Up to this many rows, all are drawn: the page can be searched and printed whole. */
  drawnWholeMax: number
  /** The list is one part of its page: arrow keys scroll the page, and a row is active only while it has the focus. */
  isPart?: boolean
  /** Columns are as wide as their content, and the table scrolls sideways; otherwise the head alone sets their widths. */
  fitsContent?: boolean
}

/** Progress of an action on several rows. */
export type ListProgress = { doing: string; ended: number; of: number }

/** The part of a list that its rows use. It stays the same object while the rows change, or every row would be drawn again. */
export type RowList<Row, Context, Sort extends string = never> = {
  description: ListDescription<Row, Context, Sort>
  scopes: readonly string[]
  setActive: (id: string | null) => void
  /** With `range` every row from the last choice to this one. */
  select: (id: string, range: boolean) => void
  perform: Perform<Row, Context>
}

export type List<Row, Context, Sort extends string = never> = RowList<Row, Context, Sort> & {
  rowList: RowList<Row, Context, Sort>
  rows: readonly Row[]
  /** The ids that "select all" selects. */
  matchingIds: readonly string[]
  tableRef: RefObject<HTMLTableElement | null>
  /** The row that the keys act on; null before one has been chosen. */
  active: Row | null
  selection: Selection
  selected: readonly Row[]
  selectAll: () => void
  clear: () => void
  progress: ListProgress | null
}

type ListOptions<Row, Context, Sort extends string> = {
  description: ListDescription<Row, Context, Sort>
  /** What the actions need, such as the query client. */
  context: Context
  scopes: readonly string[]
  /** The rows that are shown, in their order. */
  rows: readonly Row[]
  /** The rows that match the filters, where `rows` follow them with a delay. */
  matching?: readonly Row[]
  /** Every row that can be selected, filtered out or not. */
  all?: readonly Row[]
}

/** The state of a list: its selection, its active row, and the action in progress. */
export function useList<Row extends { id: string }, Context, Sort extends string = never>({
  description,
  context,
  scopes,
  rows,
  matching = rows,
  all = rows,
}: ListOptions<Row, Context, Sort>): List<Row, Context, Sort> {
  const tableRef = useRef<HTMLTableElement>(null)
  const [activeId, setActive] = useState<string | null>(null)
  const [selection, setSelection] = useState(nothingSelected)
  const shownIds = useMemo(() => rows.map(({ id }) => id), [rows])
  const matchingIds = useMemo(() => matching.map(({ id }) => id), [matching])
  const selected = useMemo(() => all.filter(({ id }) => selection.ids.has(id)), [all, selection])
  const select = useCallback(
    (id: string, range: boolean) =>
      setSelection((now) => (range ? rangeTo(now, id, shownIds) : toggled(now, id))),
    [shownIds],
  )
  const clear = useCallback(() => setSelection(nothingSelected), [])
  useFocusOnNeighbour({ shownIds, activeId, onActive: setActive, tableRef })
  const { perform, progress } = usePerform(description, scopes, context, clear)
  const rowList = useMemo(
    () => ({ description, scopes, setActive, select, perform }),
    [description, scopes, select, perform],
  )
  return {
    ...rowList,
    rowList,
    rows,
    matchingIds,
    tableRef,
    active: rows.find(({ id }) => id === activeId) ?? null,
    selection,
    selected,
    selectAll: () => setSelection((now) => toggledAll(now, matchingIds)),
    clear,
    progress,
  }
}

/** `perform` stays the same function while the context changes. */
function usePerform<Row, Context, Sort extends string>(
  { named }: ListDescription<Row, Context, Sort>,
  scopes: readonly string[],
  context: Context,
  clear: () => void,
) {
  const [progress, setProgress] = useState<ListProgress | null>(null)
  const latest = useRef(context)
  useEffect(() => {
    latest.current = context
  })
  const perform: Perform<Row, Context> = useCallback(
    (action, asked) => {
      const { rows } = possibleFor(action, asked, scopes)
      if (rows.length === 0) return
      if (action.clears) clear()
      const doing = `${action.doing ?? action.label} ${named(rows)}`
      const show = (ended: number) => setProgress({ doing, ended, of: rows.length })
      const performing = action.perform(rows, latest.current, rows.length > 1 ? show : undefined)
      if (!performing) return
      if (rows.length > 1) show(0)
      void performing.finally(() => setProgress(null))
    },
    [named, scopes, clear],
  )
  return { perform, progress }
}
