/** A row of a long table by its index, or a spacer in place of rows that are not rendered. */
type RowOrSpacer = { index: number } | { spacer: string; rows: number }

/**
 * Returns the rows from `first` to `last`, with spacers for the others. The focused row (-1 for none) is always rendered:
 * scrolling it out of the document would lose the focus.
 */
export function rowsAndSpacers(count: number, first: number, last: number, focused: number): RowOrSpacer[] {
  const visible = Array.from({ length: last - first + 1 }, (_, offset) => ({ index: first + offset }))
  const spacer = (from: number, to: number, name: string): RowOrSpacer[] => {
    if (focused < from || focused > to) return to < from ? [] : [{ spacer: name, rows: to - from + 1 }]
    return [
      ...spacer(from, focused - 1, `${name} 1`),
      { index: focused },
      ...spacer(focused + 1, to, `${name} 2`),
    ]
  }
  return [...spacer(0, first - 1, 'before'), ...visible, ...spacer(last + 1, count - 1, 'after')]
}
