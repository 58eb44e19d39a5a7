import type { ReactNode } from 'react'
import type { Perform } from './list-action.ts'

/** A column of a list. `Sort` is the union of the list's sort keys. */
export type ListColumn<Row, Context, Sort extends string> = {
  header: string
  /** Shorter header for narrow tables. */
  short?: string
  sort?: Sort
  /** Aligns the column right, as for numbers. */
  end?: boolean
  /** Shows the header to screen readers only. */
  silent?: boolean
  /** Controls in the header, beside its text. */
  controls?: ReactNode
  /** The column's width, and the table width (container query) below which the column is hidden. */
  className?: string
  /** Additional classes of the cells. */
  cellClassName?: string
  cell: (row: Row, place: RowPlace<Row, Context>) => ReactNode
}

/** The column of a row's buttons or menu. */
export const actionsColumn = { header: 'Actions', silent: true, end: true } as const

export type RowPlace<Row, Context> = {
  /** Index in the list, from 0. */
  index: number
  perform: Perform<Row, Context>
  /** The button that opens the row's menu. */
  menu: ReactNode
}

export type Shape = { className?: string; cellClassName?: string; end?: boolean }

/** Returns the classes of a column's cells, for a table that fits its content, or one of rows with fixed widths. */
export function cellClass(column: Shape, fitsContent: boolean | undefined): string {
  const { className = '', cellClassName = '', end = false } = column
  const shape = `pr-3 first:pl-2 last:pr-1 ${end ? 'text-right' : 'text-left'} ${cellClassName}`
  if (!fitsContent) return `${shape} ${widthClass(column)}`
  // Only the header cell sets the width.
  const hidden = className.split(' ').filter((part) => part.endsWith(':hidden'))
  return `border-b border-line ${shape} ${hidden.join(' ')}`
}

/**
 * Returns the classes for a column's width: a column with a basis grows and shrinks from there, and one without any width
 * takes what the others leave.
 */
function widthClass({ className = '' }: Shape): string {
  if (/(^| )basis-/.test(className)) return /(^| )min-w-/.test(className) ? className : `${className} min-w-0`
  return `${className} ${/(^| )w-/.test(className) ? 'shrink-0' : 'min-w-0 flex-1'}`
}
