import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { events, hour, jobs, start, uuid } from '../test-exports.ts'

/** Ids of the events that `insertOnce` inserts. */
export const allIds = events.map((event) => event.uuid)

/** Returns the sorted ids of the events in a file of JSON lines. */
export function idsIn(content: Buffer): string[] {
  const lines = content.toString().trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { uuid: string }).uuid).sort()
}

/** Returns the files that wait to be sent. */
export function waitingUploads(): Promise<string[]> {
  return readdir(join(jobs.services.config.dataDirectory, 'uploads'))
}

const heavy = start - 30 * hour
/** An hour with rows of 2.6 MB, which fill several buffers and files. */
export const heavyInterval = {
  data_interval_start: new Date(heavy),
  data_interval_end: new Date(heavy + hour),
}
let inserted: { into: typeof jobs; ids: Promise<string[]> } | null = null

/** Inserts the rows of that hour once into the project of a test file; returns their sorted ids. */
export function insertHeavy(): Promise<string[]> {
  if (inserted?.into !== jobs) inserted = { into: jobs, ids: insertNow() }
  return inserted.ids
}

async function insertNow(): Promise<string[]> {
  const padding = Array.from({ length: 700 }, (_, index) => uuid(index)).join('')
  const rows = Array.from({ length: 100 }, (_, index) => ({
    uuid: uuid(1000 + index),
    timestamp: heavy,
    properties: JSON.stringify({ index, padding: padding.slice(index) }),
  }))
  await jobs.insertEvents(rows)
  return rows.map((row) => row.uuid)
}
