type SortButtonProps = {
  header: string
  /** Where the header's whole text does not fit. */
  short: string
  order: 'ascending' | 'descending' | undefined
  onClick: () => void
}

/** A column's name, by which its table is sorted. */
export function SortButton({ header, short, order, onClick }: SortButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`-mx-1 inline-flex max-w-full items-center gap-1 rounded-sm px-1 py-1 hover:text-ink ${order ? 'text-ink' : ''}`}
    >
      <span className="truncate @max-[820px]:hidden">{header}</span>
      <span className="whitespace-nowrap @min-[820px]:hidden">{short}</span>
      {order && (
        <svg aria-hidden="true" width="7" height="6" viewBox="0 0 7 6" className="shrink-0 fill-current">
          <path d={order === 'ascending' ? 'M3.5 0L7 6H0z' : 'M0 0h7L3.5 6z'} />
        </svg>
      )}
    </button>
  )
}
