import { pinEndpoint } from '../destinations/destination-check.ts'
import type { FileDestination } from '../destinations/destination-driver.ts'
import type {
  CountStatement,
  FileStore,
  RunStatement,
  StreamStatement,
  Upload,
} from '../destinations/file-store.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { countRows } from '../warehouse/run-rows.ts'
import { countMark, runMark, type ExportServices } from './run-control.ts'
import type { RunWatch } from './watch-run.ts'
import { withThreads } from './write-threads.ts'

/** Bytes that the service has sent to a destination; null while it sends none itself. */
export type SentBytes = { bytes: number | null }

/** Opens a destination of files, whose statements and uploads are watched; its host is pinned until it is closed. */
export async function openFileStore(
  services: ExportServices,
  destination: FileDestination,
  run: RunRow,
  { watch, sent, signal }: { watch: RunWatch; sent: SentBytes; signal: AbortSignal },
): Promise<FileStore> {
  const { warehouse, config } = services
  const mark = runMark(run)
  const execute: RunStatement = async (sql, { params, settings }) => {
    signal.throwIfAborted()
    await watch.during(() =>
      withThreads(config, (threads) =>
        warehouse.command(sql, { params, settings: { ...threads, ...settings }, lane: 'export', mark }),
      ),
    )
    signal.throwIfAborted()
  }
  const count: CountStatement = (from, options) =>
    watch.during(() => countRows(warehouse, from, { ...options, lane: 'export', mark: countMark(mark) }))
  const stream: StreamStatement = (sql, { settings, ...options }, read) =>
    watch.during(() =>
      withThreads(config, (threads) =>
        warehouse.stream(
          sql,
          { ...options, settings: { ...threads, ...settings }, lane: 'export', mark, signal },
          read,
        ),
      ),
    )
  const upload: Upload = {
    signal,
    during(send) {
      sent.bytes = 0
      return watch.during(() => send().finally(() => (sent.bytes = null)))
    },
    onSent(bytes) {
      if (sent.bytes !== null) sent.bytes += bytes
    },
  }
  const release = await pinEndpoint(services, destination.url())
  const writing = { run: execute, count, stream: warehouse.embedded ? null : stream, upload }
  const store = await destination.openStore(services, run, writing).catch((error: unknown) => {
    release()
    throw error
  })
  return { ...store, close: () => store.close().finally(release) }
}
