import type { ReactNode } from 'react'
import type { Perform } from './list-action.ts'

/** A column of a list. `Sort` names the orders in which the list can be sorted. */
export type ListColumn<Row, Context, Sort extends string> = {
  header: string
  /** Where the header's whole text does not fit. */
  short?: string
  sort?: Sort
  /** Numbers end at the right. */
  end?: boolean
  /** The header is there for screen readers alone. */
  silent?: boolean
  /** The column's width, and where it gives way; the table is its container. */
  className: string
  /** Further classes of its cells. */
  cellClassName?: string
  cell: (row: Row, place: RowPlace<Row, Context>) => ReactNode
}

export type RowPlace<Row, Context> = {
  /** From 0. */
  index: number
  perform: Perform<Row, Context>
  /** The button that opens the row's menu. */
  menu: ReactNode
}

type Shape = { className: string; cellClassName?: string; end?: boolean }

/** The classes of a column's cells; only its head has its width. */
export function cellClass({ className, cellClassName = '', end = false }: Shape): string {
  const hidden = className.split(' ').filter((part) => part.endsWith(':hidden'))
  return `border-b border-line pr-3 first:pl-2 last:pr-1 ${end ? 'text-right' : 'text-left'} ${hidden.join(' ')} ${cellClassName}`
}
