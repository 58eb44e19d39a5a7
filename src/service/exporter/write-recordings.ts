import { recordingFile } from '../recordings/transfer/write-file.ts'
import type { Services } from '../services.ts'
import { findRecordings } from '../store/recordings/session-recordings.ts'
import { recordingKey, type FileKeyParts } from '../destinations/file-key.ts'
import { readOptions } from '../destinations/file-content.ts'
import type { FileStore, PublishedFile } from '../destinations/file-store.ts'
import type { RunRows } from '../warehouse/run-rows.ts'

/** Recordings that are looked up at once. */
const pageSize = 200

type RecordingServices = Pick<Services, 'store' | 'warehouse' | 'objects' | 'logger' | 'config'>
type WriteOptions = {
  projectId: number
  parts: FileKeyParts
  /** Identifies the run's statements in ClickHouse. */
  mark: string
  signal: AbortSignal
  onWritten: () => void
}
export type WrittenRecordings = {
  files: PublishedFile[]
  /** Sessions whose recording has been deleted since its row was mirrored. */
  deleted: number
}

/**
 * Writes the recording of each row as a file that an import accepts, one at a time. A file's key depends only on the window
 * and the session, so that another attempt replaces the file.
 */
export async function writeRecordings(
  services: RecordingServices,
  destination: FileStore,
  rows: RunRows,
  { projectId, parts, mark, signal, onWritten }: WriteOptions,
): Promise<WrittenRecordings> {
  const written: WrittenRecordings = { files: [], deleted: 0 }
  for await (const sessions of sessionsOf(services, rows, mark)) {
    const found = await findRecordings(services.store, projectId, sessions)
    written.deleted += sessions.length - found.length
    for (const recording of found) {
      signal.throwIfAborted()
      const key = recordingKey(parts, recording.session_id)
      const content = recordingFile(services, recording)
      const file = await destination.writeStream(key, content, signal).finally(() => content.destroy())
      written.files.push(file)
      onWritten()
    }
  }
  return written
}

/** Reads the session ids of the rows, in pages. */
async function* sessionsOf(
  { warehouse, config }: RecordingServices,
  { from, params }: RunRows,
  mark: string,
): AsyncGenerator<string[]> {
  const statement = `SELECT session_id FROM (SELECT recordings.session_id AS session_id FROM ${from})
    WHERE session_id > {after: String} ORDER BY session_id LIMIT ${pageSize}`
  for (let after: string | undefined = ''; after !== undefined;) {
    const options = readOptions(config, { ...params, after }, mark)
    const page: { session_id: string }[] = await warehouse.query(statement, options)
    const sessions = page.map(({ session_id }) => session_id)
    if (sessions.length > 0) yield sessions
    after = sessions.length === pageSize ? sessions.at(-1) : undefined
  }
}
