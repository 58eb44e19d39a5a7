import type { EngineLimits } from '../config.ts'
import { memoryLimits } from '../destinations/file-content.ts'
import type { QuerySettings } from '../engines/clickhouse/clickhouse.ts'

/** Memory (bytes) of a statement for each of its threads, if it has several: about twice what they need for usual rows. */
const threadMemory = 200_000_000

/** Memory (bytes) of each statement of this process that writes files now. */
const written = new Set<{ memory: number }>()

/**
 * Calls `write` with the threads and the memory of a statement that writes a file: the threads of exports, divided by the number of
 * such statements, as far as half of the memory that the others leave suffices, but at least one thread and the memory of a worker.
 */
export async function withThreads<Result>(
  limits: EngineLimits,
  write: (settings: QuerySettings) => Promise<Result>,
): Promise<Result> {
  const left = limits.engineMemory - written.values().reduce((sum, { memory }) => sum + memory, 0)
  const most = Math.min(limits.exportThreads / (written.size + 1), left / 2 / threadMemory)
  const share = memoryLimits(limits)
  const threads = Math.max(1, Math.floor(most))
  const memory =
    threads === 1 ? share.max_memory_usage : Math.max(share.max_memory_usage, threads * threadMemory)
  const statement = { memory }
  written.add(statement)
  try {
    return await write({
      ...share,
      max_memory_usage: memory,
      max_threads: threads,
      output_format_parquet_parallel_encoding: threads === 1 ? 0 : 1,
    })
  } finally {
    written.delete(statement)
  }
}
