/** Placeholder for the rows of a table. */
export function TableSkeleton() {
  return (
    <output aria-label="Loading" className="appear-late flex flex-col">
      {Array.from({ length: 6 }, (_, index) => (
        <span key={index} className="flex h-10 items-center border-b border-line">
          <span className="h-3 rounded-sm bg-hover" style={{ width: `${35 + ((index * 17) % 40)}%` }} />
        </span>
      ))}
    </output>
  )
}
