import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { endedPeriod, intervalLength, windowsBetween } from '../../contract/interval.ts'
import { changedFields } from '../handlers/exports/changed-fields.ts'
import { describePause } from '../handlers/exports/pause-columns.ts'
import { storeQuery, type QueryColumns } from '../exporter/query-input.ts'
import { logExport } from '../runs/export-log.ts'
import type { Services } from '../services.ts'
import { insertBatchExport } from '../store/runs/batch-exports.ts'
import { insertScheduledRuns } from '../store/runs/write-runs.ts'
import { insertChange } from '../store/runs/changes-list.ts'
import { setVerifyMode } from '../store/windows/ledger.ts'
import { rowsOf, type Store, type StoreTransaction } from '../store/schema/database.ts'
import { newId } from '../store/schema/identifier.ts'
import { insertRow, updateRows } from '../store/schema/rows.ts'
import { installRecordings } from './install-recordings.ts'
import { insertSampleEvents } from './sample-events.ts'
import { blockingFile, sampleExports, type SampleExport } from './sample-exports.ts'
import { insertStoredPersons, insertWarehousePersons, type Sample } from './sample-persons.ts'

const markerName = 'sample_project'
export type Marker = Sample & { isDone: boolean; hasRecordings?: boolean; tableConnection?: number }

/**
 * Fills an empty project with 30 days of a shop's events, its customers, recordings, and exports whose past runs
 * the scheduler then creates. Does nothing if the sample is complete or the project has its own exports. After an
 * interruption the same rows are inserted again and replace each other.
 */
export async function installSample(services: Services, projectId: number): Promise<void> {
  const marker = await readOrCreateMarker(services, projectId)
  if (!marker) return
  const { isDone, hasRecordings, tableConnection: _, ...sample } = marker
  if (!isDone) await installExports(services, sample)
  if (hasRecordings) return
  await installRecordings(services, sample)
  await writeMarker(services.store, { ...sample, isDone: true, hasRecordings: true })
}

async function installExports(services: Services, sample: Sample): Promise<void> {
  const { warehouse } = services
  await insertSampleEvents(warehouse, sample)
  if (!(await hasPersons(services, sample))) await insertWarehousePersons(warehouse, sample)
  const queries = await Promise.all(
    sampleExports.map(({ query = '', model = 'events' }) => storeQuery(services, query, model)),
  )
  if (services.exportsFolder !== null) await writeBlockingFile(services.exportsFolder, sample.project)
  await services.store.transaction().execute(async (transaction) => {
    const marker = await readMarker(transaction)
    if (marker?.isDone !== false) return
    await insertStoredPersons(transaction, warehouse, sample)
    if (services.exportsFolder !== null) {
      for (const [index, given] of sampleExports.entries())
        await insertSampleExport(services, transaction, sample, given, queries[index])
    }
    await writeMarker(transaction, { ...sample, isDone: true })
  })
}

/** Returns the marker of the installation, new or from an earlier start; null if the project has its own exports. */
async function readOrCreateMarker({ store, clock }: Services, projectId: number): Promise<Marker | null> {
  return store.transaction().execute(async (transaction) => {
    const known = await readMarker(transaction)
    if (known) return known
    const own = await rowsOf(transaction)`SELECT FROM batch_exports WHERE project_id = ${projectId} LIMIT 1`
    if (own.length > 0) return null
    const marker = { project: projectId, anchor: clock.now(), isDone: false }
    const row = { name: markerName, value: JSON.stringify(marker) }
    await insertRow(transaction, 'installation', row)
    return marker
  })
}

export async function readMarker(transaction: StoreTransaction): Promise<Marker | null> {
  const [row] = await rowsOf<{ value: string }>(transaction)`
    SELECT value FROM installation WHERE name = ${markerName} FOR UPDATE`
  return row ? (JSON.parse(row.value) as Marker) : null
}

export async function writeMarker(store: Store, marker: Marker): Promise<void> {
  const value = JSON.stringify(marker)
  await updateRows(store, 'installation', { name: markerName }, { value })
}

/** Returns whether the persons are in the warehouse, whose `persons` table does not remove repeats. */
async function hasPersons({ warehouse }: Services, sample: Sample): Promise<boolean> {
  const rows = await warehouse.query(
    `SELECT 1 FROM persons WHERE team_id = {project: Int64} AND distinct_id = 'customer-00001' LIMIT 1`,
    { params: { project: sample.project } },
  )
  return rows.length > 0
}

async function writeBlockingFile(exportsFolder: string, project: number): Promise<void> {
  const path = join(exportsFolder, String(project), blockingFile.path)
  await mkdir(dirname(path), { recursive: true, mode: 0o755 })
  await writeFile(path, blockingFile.text, { flag: 'wx', mode: 0o644 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
}

/** Inserts an export that started in the past; the scheduler creates the runs of all windows since then. */
export async function insertSampleExport(
  services: Services,
  transaction: StoreTransaction,
  { project, anchor }: Sample,
  given: SampleExport,
  query?: QueryColumns,
): Promise<void> {
  const windowsBack = (count: number) => endedPeriod(given.interval, anchor, count).start
  const startMs = windowsBack(given.windowsBack)
  const pausedWindows = given.pausedRanges?.at(-1)?.[1]
  const pausedAt = pausedWindows === undefined ? null : new Date(windowsBack(pausedWindows) + 120_000)
  const createdAt = new Date(startMs + Math.floor(intervalLength(given.interval) / 10))
  const row = await insertBatchExport(transaction, {
    id: newId(createdAt.getTime()),
    project_id: project,
    name: given.name,
    model: given.model ?? 'events',
    destination_type: 'File',
    destination_config: given.config,
    ...given.destination,
    interval: given.interval,
    paused: pausedAt !== null,
    ...query,
    created_at: createdAt,
    last_updated_at: pausedAt ?? createdAt,
    last_paused_at: pausedAt,
    pause_reason: given.pauseReason ?? null,
    scheduled_until: new Date(pausedWindows === undefined ? startMs : windowsBack(pausedWindows)),
  })
  // In the background, so that the ledger shows proof from the first hour.
  await setVerifyMode(transaction, row.id, 'each_run')
  const created = { ...row, paused: false, pause_reason: null }
  const entry = { batchExportId: row.id, actor: null }
  const fields = changedFields(services, null, created)
  await insertChange(transaction, { ...entry, kind: 'created', at: createdAt, fields })
  await logExport(transaction, row.id, 'Created with the sample project.', createdAt)
  if (pausedAt) {
    const pause = changedFields(services, created, row)
    await insertChange(transaction, { ...entry, kind: 'paused', at: pausedAt, fields: pause })
    await logExport(transaction, row.id, `Paused${describePause(row)}.`, pausedAt)
  }
  const windows = (given.pausedRanges ?? []).flatMap(([from, until]) =>
    windowsBetween(given.interval, windowsBack(from), windowsBack(until)),
  )
  await insertScheduledRuns(transaction, row, windows, services.clock.now())
}
