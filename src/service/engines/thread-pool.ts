import type { EngineLimits } from '../config.ts'
import { exportStatementsMax } from './clickhouse/clickhouse.ts'

/** Threads for trials and control of the embedded ClickHouse, the file system, name resolution and compression. */
const otherThreads = 12

/**
 * Sizes Node's thread pool for the statements of exports, pages and captures, since each that runs occupies a thread; the
 * default of 4 would leave none for the file system. Call this before the first use of the pool, which fixes its size.
 */
export function sizeThreadPool({
  workers,
  engineConnections,
}: Pick<EngineLimits, 'workers' | 'engineConnections'>): void {
  const statements = exportStatementsMax(workers) + 2 * engineConnections
  process.env.UV_THREADPOOL_SIZE ??= String(statements + otherThreads)
}
