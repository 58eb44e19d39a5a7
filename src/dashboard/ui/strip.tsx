export type Cell = { key: string; look: 'done' | 'failed' | 'running' | 'stopped'; title: string }

const looks: Record<Cell['look'], string> = {
  done: 'cell',
  failed: 'cell cell-failed',
  running: 'cell cell-running',
  stopped: 'cell cell-stopped',
}

type StripProps = {
  /** Oldest first. */
  cells: readonly Cell[]
  /** Places in the row; those before the first cell stay empty. */
  length: number
  /** What the strip shows, in words. */
  label: string
}

/** A row of small cells over time. */
export function Strip({ cells, length, label }: StripProps) {
  return (
    <div className="flex h-[18px] items-end gap-px">
      <span className="sr-only">{label}</span>
      {Array.from({ length: Math.max(0, length - cells.length) }, (_, index) => (
        <i key={index} aria-hidden="true" className="cell cell-none" />
      ))}
      {cells.map((cell) => (
        <i key={cell.key} aria-hidden="true" className={looks[cell.look]} title={cell.title} />
      ))}
    </div>
  )
}
