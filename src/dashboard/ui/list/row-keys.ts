import type { RefObject } from 'react'
import { focusRow, steppedIndex } from './row-focus.ts'

/** The rows of a list, and what its keys can do with them. */
export type KeyedRows<Row> = {
  /** The rows that are there, in their order. */
  rows: readonly Row[]
  active: Row | null
  onActive: (id: string | null) => void
  selected: readonly Row[]
  onSelect: (id: string, range: boolean) => void
  onClear: () => void
  tableRef: RefObject<HTMLTableElement | null>
}

type RowKeys<Row> = KeyedRows<Row> & {
  /** What a row is, in words: “export”. */
  one: string
  /** Says that no row is active yet. */
  chooseFirst: string
}

/** The keys by which every list is gone through and selected from: `steps`, and those of a row. */
export function rowKeys<Row extends { id: string }>(keys: RowKeys<Row>) {
  const { one, rows, active, onActive, selected, onSelect, onClear, tableRef, chooseFirst } = keys
  const move = (does: string, step: number, extend = false) => ({
    does,
    moves: true,
    run: () => {
      const to = rows[steppedIndex(rows.length, active ? rows.indexOf(active) : -1, step)]
      if (!to) return
      if (extend && active && selected.length === 0) onSelect(active.id, false)
      if (extend) onSelect(to.id, true)
      focusRow(tableRef, onActive, to.id)
    },
  })
  const next = move(`Next ${one}`, 1)
  const previous = move(`Previous ${one}`, -1)
  return {
    steps: {
      j: next,
      k: previous,
      ArrowDown: next,
      ArrowUp: previous,
      'shift+ArrowDown': move(`Select down to the next ${one}`, 1, true),
      'shift+ArrowUp': move(`Select up to the previous ${one}`, -1, true),
    },
    x: {
      does: `Select the ${one}, or not`,
      reason: active ? null : chooseFirst,
      run: () => active && onSelect(active.id, false),
    },
    Escape:
      selected.length > 0
        ? { does: 'Select nothing', run: onClear }
        : active && { does: 'Leave the row', run: () => onActive(null) },
  }
}
