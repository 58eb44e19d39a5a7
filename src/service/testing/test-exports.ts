import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { S3 } from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import type { FileFormat } from '../../contract/destinations/destination.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { unverified, type LedgerRow } from '../store/windows/ledger.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { s3Destination, testJobs, type TestJobs } from './test-jobs.ts'
import { exportRun } from '../exporter/export-run.ts'
import { writtenWindow } from '../runs/worker.ts'
import { explainFailure } from '../exporter/explain-failure.ts'
import { verifyWindow } from '../exporter/verify/verify-window.ts'
import { runRow as completedRun } from './test-rows.ts'
import { startTestStore } from './test-store.ts'

export const hour = 3_600_000
export const start = Date.UTC(2026, 2, 10, 12)
export const name = '2026-03-10T12:00:00+00:00-2026-03-10T13:00:00+00:00'
export const secretKey = 'secret/Key+of==nobody'
export const destinations = ['File', 'S3'] as const

export let jobs: TestJobs
export let store: Awaited<ReturnType<typeof startTestStore>>
export let folder: string
let client: S3
let inserted: Promise<void> | null = null

/** Opens engines, an S3 server, with its buckets in this folder, and a project for a test file. */
export async function openTestExports(storeFolder?: string): Promise<void> {
  jobs = await testJobs(start + 2 * hour)
  inserted = null
  store = await startTestStore(['exports'], storeFolder)
  folder = jobs.folder
  await mkdir(folder)
  client = new S3({
    endpoint: store.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

export async function closeTestExports(): Promise<void> {
  client.destroy()
  await store.stop()
  await jobs.cleanup()
}

export const events = [
  { event: 'plain', properties: '{"a":1,"nested":{"b":[true,null]}}' },
  {
    event: 'quotes " and \\ and \n and \u2028',
    properties: '{"text":"line\\nbreak \\"quoted\\" \\u00e9 ü"}',
  },
  { event: 'spaced', properties: '{\n  "a" : 1,\r\n  "b" : "x"\n}' },
  { event: 'large numbers', properties: '{"n":100000000000000000000,"m":1e300,"u":18446744073709551615}' },
  { event: 'lone surrogate', properties: '{"s":"\\ud800"}' },
  { event: 'not json', properties: 'no "json"\n' },
  { event: 'cut json', properties: '{"a":' },
  { event: 'empty', properties: '' },
  { event: 'null', properties: 'null' },
].map((event, index) => ({
  ...event,
  uuid: uuid(index),
  distinct_id: `id '${index}'`,
  timestamp: start + index * 1234,
}))

/** Inserts `events` into the project of a test file. */
export function insertOnce(): Promise<void> {
  return (inserted ??= jobs.insertEvents(events.map((event) => ({ ...event, person_id: event.uuid }))))
}

/** Inserts this many events with incompressible properties at a time (ms). */
export function insertMany(at: number, total: number): Promise<void> {
  return jobs.services.warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
     SELECT {team: Int64}, generateUUIDv4(), 'many', concat('{"text":"', hex(sipHash128(number)), '"}'), toString(number), t, t, t, '', generateUUIDv4(), '{}'
     FROM (SELECT number, fromUnixTimestamp64Milli({at: Int64}, 'UTC') AS t FROM numbers({total: Int64}))`,
    {
      params: { team: jobs.projectId, at, total },
      // Smaller blocks, since the default ones need almost all the memory of a statement.
      settings: { min_insert_block_size_rows: 100_000, min_insert_block_size_bytes: 0 },
    },
  )
}

export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}

const decompressors = new Map<string, (bytes: Buffer) => Buffer>([
  ['.gz', gunzipSync],
  ['.br', brotliDecompressSync],
  ['.zst', zstdDecompressSync],
])

export async function rowsOf(
  bytes: Buffer,
  format: FileFormat,
  file: string,
): Promise<Record<string, unknown>[]> {
  if (format === 'Parquet') {
    const path = join(folder, `read-back-${Math.random()}.parquet`)
    await writeFile(path, bytes)
    return await jobs.services.warehouse.query(`SELECT * FROM file({path: String}, 'Parquet') /*settings*/`, {
      params: { path },
      settings: { date_time_output_format: 'iso' },
    })
  }
  const decompress = decompressors.get(extname(file))
  return (decompress?.(bytes) ?? bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export async function read(type: (typeof destinations)[number], key: string): Promise<Buffer> {
  if (type === 'File') return await readFile(join(folder, key))
  const object = await client.getObject({ Bucket: 'exports', Key: key })
  return Buffer.from((await object.Body?.transformToByteArray()) ?? [])
}

export async function list(type: (typeof destinations)[number], prefix: string): Promise<string[]> {
  if (type === 'File') {
    const found = readdir(join(folder, prefix), { recursive: true, withFileTypes: true })
    const entries = await found.catch(() => [])
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort()
  }
  const { Contents = [] } = await client.listObjectsV2({ Bucket: 'exports', Prefix: prefix })
  return Contents.flatMap(({ Key }) => Key ?? [])
}

export function createFileExport(config: Record<string, unknown>, change: Partial<BatchExportRow> = {}) {
  return jobs.createExport({ destination_config: config, ...change })
}

export function createS3Export(config: Record<string, unknown>) {
  return jobs.createExport(
    s3Destination(jobs.services, { endpoint_url: store.endpoint, ...config }, secretKey),
  )
}

/** Returns the row of a run in progress of the hour from `start`. */
export function runRow(row: BatchExportRow, change: Partial<RunRow> = {}): RunRow {
  const now = new Date(jobs.clock.now())
  const claimed = { status: 'Running' as const, started_at: now, worker_id: 'worker', heartbeat_at: now }
  const interval = { data_interval_start: new Date(start), data_interval_end: new Date(start + hour) }
  return completedRun(row, now.getTime(), { origin: 'schedule', ...claimed, ...interval, ...change })
}

export function run(row: BatchExportRow, change: Partial<RunRow> = {}) {
  const signal = new AbortController().signal
  return exportRun(jobs.services, row, runRow(row, change), { onProgress: () => undefined, signal })
}

export async function failure(row: BatchExportRow) {
  const error: unknown = await run(row).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(Error)
  return await explainFailure(jobs.services, row, error)
}

/** Runs an export and returns its window as the ledger records it. */
export async function written(row: BatchExportRow, change: Partial<RunRow> = {}): Promise<LedgerRow> {
  const attempt = runRow(row, change)
  return {
    ...unverified,
    ...writtenWindow(row, attempt, await run(row, attempt)),
    verified_at: null,
    verification_id: null,
    verify_turn: null,
    verify_requested_at: null,
    claimed_until: null,
    erasure_id: null,
    is_refuted: false,
  }
}

/** Verifies a window; `equal` says whether the rows read back are those written, which `hash` identifies. */
export async function verified(row: BatchExportRow, window: LedgerRow) {
  const found = await verifyWindow(jobs.services, row, window)
  const { hash_expected, hash_read, ...rest } = found
  return { ...rest, equal: hash_read !== null && hash_read === hash_expected, hash: hash_read }
}

/** What the verification of an unchanged window finds. */
export const intact = { objects_found: 'intact', problem: null, late_rows: 0, equal: true }
