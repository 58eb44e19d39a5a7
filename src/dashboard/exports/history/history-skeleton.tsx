/** Placeholder for a list of changes. */
export function HistorySkeleton() {
  return (
    <output aria-label="Loading the history" className="appear-late flex flex-col gap-2">
      <span className="h-3 w-60 rounded-sm bg-hover" />
      <span className="h-3 w-80 max-w-full rounded-sm bg-hover" />
    </output>
  )
}
