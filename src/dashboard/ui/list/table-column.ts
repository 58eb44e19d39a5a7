/** A column of a table whose layout is fixed, so that nothing moves while rows come and go. */
export type TableColumn = {
  header: string
  /** Numbers end at the right. */
  end?: boolean
  /** The header is there for screen readers alone. */
  silent?: boolean
  /** Width, and where the column gives way; the table is its container. */
  className: string
}

/** The classes of a column's cells; the head's alone give it its width. */
export function cellClassOf({ className, end }: TableColumn): string {
  const hidden = className.split(' ').filter((part) => part.endsWith(':hidden'))
  return `border-b border-line pr-3 first:pl-2 last:pr-1 ${end ? 'text-right' : 'text-left'} ${hidden.join(' ')}`
}
