import type { EngineLimits } from '../config.ts'
import { memoryLimits } from '../destinations/file-content.ts'
import type { QuerySettings } from '../engines/clickhouse/clickhouse.ts'

/** Memory (bytes) of a statement for each of its threads, if it has several: about twice what they need for usual rows. */
const threadMemory = 200_000_000

/** Statements of this process that write files now. */
let writing = 0

/**
 * Calls `write` with the threads and the memory of a statement that writes a file: those of exports, divided by the
 * number of such statements, but at least one thread and the memory of a worker.
 */
export async function withThreads<Result>(
  limits: EngineLimits,
  write: (settings: QuerySettings) => Promise<Result>,
): Promise<Result> {
  writing += 1
  try {
    return await write(threadSettings(limits, writing))
  } finally {
    writing -= 1
  }
}

function threadSettings(limits: EngineLimits, statements: number): QuerySettings {
  const most = Math.min(limits.exportThreads, limits.engineMemory / threadMemory)
  const threads = Math.floor(most / statements)
  const share = memoryLimits(limits)
  if (threads < 2) return { ...share, max_threads: 1, output_format_parquet_parallel_encoding: 0 }
  return {
    ...share,
    max_memory_usage: Math.max(share.max_memory_usage, threads * threadMemory),
    max_threads: threads,
    output_format_parquet_parallel_encoding: 1,
  }
}
