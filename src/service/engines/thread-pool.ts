import { exportStatementsMax } from './clickhouse/clickhouse.ts'

/** Threads for the other statements of the embedded ClickHouse, the file system, name resolution and compression. */
const otherThreads = 16

/**
 * Sizes Node's thread pool for the statements of this many workers, since each running statement occupies a thread; the
 * default of 4 would leave none for the file system. Call this before the first use of the pool, which fixes its size.
 */
export function sizeThreadPool(workers: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(exportStatementsMax(workers) + otherThreads)
}
