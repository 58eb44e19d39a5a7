/** A row of a long table by its index, or a gap of rows that are not drawn. */
export type RowPiece = { index: number } | { gap: string; rows: number }

/**
 * The pieces of a long table: the rows from `first` to `last`, and gaps for the others. The focused row stays on the page however
 * far it is scrolled away, or the focus would be lost; -1 when no row is focused.
 */
export function rowPieces(count: number, first: number, last: number, focused: number): RowPiece[] {
  const near = Array.from({ length: last - first + 1 }, (_, at) => ({ index: first + at }))
  const gap = (from: number, to: number, name: string): RowPiece[] => {
    if (focused < from || focused > to) return to < from ? [] : [{ gap: name, rows: to - from + 1 }]
    return [...gap(from, focused - 1, `${name} 1`), { index: focused }, ...gap(focused + 1, to, `${name} 2`)]
  }
  return [...gap(0, first - 1, 'before'), ...near, ...gap(last + 1, count - 1, 'after')]
}
