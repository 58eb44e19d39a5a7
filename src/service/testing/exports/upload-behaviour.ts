import { expect, test, vi } from 'vitest'
import { exportRun } from '../../exporter/export-run.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import {
  events,
  hour,
  insertMany,
  insertOnce,
  intact,
  jobs,
  name,
  rowsOf,
  run,
  runRow,
  start,
  verified,
  written,
} from '../test-exports.ts'
import { allIds, heavyInterval, idsIn, insertHeavy, waitingUploads } from './test-uploads.ts'

/** A place to which files are sent, on a real server. */
export type UploadPlace = {
  /** Creates an export to a folder of the place. */
  createExport(folder: string, config?: Record<string, unknown>): Promise<BatchExportRow>
  /** Returns the sorted keys of all files in a folder. */
  list(folder: string): Promise<string[]>
  read(key: string): Promise<Buffer>
  /** Returns what the server has printed of requests for a folder. */
  printed(folder: string): string
  /** The name of a folder with characters that the place could misread. */
  oddFolder: string
}

/** Tests what is the same for all places to which files are sent. */
export function testUploads({ createExport, list, read, printed, oddFolder }: UploadPlace): void {
  test.each([
    { folder: 'plain', file_format: 'JSONLines', end: '.jsonl' },
    { folder: 'columns/deep', file_format: 'Parquet', compression: 'zstd', end: '.parquet' },
    { folder: oddFolder, file_format: 'JSONLines', compression: 'gzip', end: '.jsonl.gz' },
  ])(
    'writes a window once, also when it is repeated, and reads it back: %j',
    async ({ folder, end, ...config }) => {
      await insertOnce()
      const row = await createExport(folder, config)
      const window = await written(row)
      const key = `${folder}/${name}${end}`
      expect(window.objects).toMatchObject([{ key, checksum: expect.stringMatching(/^sha256:/) }])
      expect(await run(row)).toMatchObject({ files: [key], records: events.length })
      expect(await list(folder)).toEqual([key])
      const rows = await rowsOf(await read(key), config.file_format as 'Parquet', key)
      expect(rows.map((each) => each['uuid']).sort()).toEqual(allIds)
      expect(await verified(row, window)).toMatchObject({ ...intact, rows_read: events.length })
      expect(await waitingUploads()).toEqual([])
    },
  )

  test('splits a window into files of a limited size, and replaces them by fewer', async () => {
    const ids = await insertHeavy()
    const row = await createExport('split', { max_file_size_mb: 1 })
    const window = await written(row, heavyInterval)
    const files = window.objects.filter(({ holds }) => holds === 'rows').map(({ key }) => key)
    expect(files.length).toBeGreaterThan(2)
    const manifest = (await list('split')).find((key) => key.endsWith('_manifest.json')) ?? ''
    expect(JSON.parse((await read(manifest)).toString())).toEqual({ files })
    const found = await Promise.all(files.map(async (key) => idsIn(await read(key))))
    expect(found.flat().sort()).toEqual(ids)
    expect(await verified(row, window)).toMatchObject(intact)

    const destination_config = { ...row.destination_config, max_file_size_mb: 100 }
    const fewer = await run({ ...row, destination_config }, heavyInterval)
    expect(fewer.files).toHaveLength(1)
    expect(await list('split')).toEqual([...fewer.files, manifest])
  })

  test('writes nothing for a window without rows', async () => {
    const interval = { data_interval_start: new Date(0), data_interval_end: new Date(hour) }
    expect(await run(await createExport('empty'), interval)).toMatchObject({ records: 0, files: [] })
    expect(await list('empty')).toEqual([])
  })

  test('never connects to a forbidden address', async () => {
    await insertOnce()
    const row = await createExport('forbidden')
    const before = printed('forbidden')
    const config = { ...jobs.services.config, privateDestinations: 'none' as const }
    const control = { onProgress: () => undefined, signal: new AbortController().signal }
    const running = exportRun({ ...jobs.services, config }, row, runRow(row), control)
    await expect(running).rejects.toThrow('is not on the public internet')
    expect(printed('forbidden')).toBe(before)
  })

  test('writes 1,000,000 rows', { tags: ['slow'] }, async () => {
    const [at, total] = [start - 40 * hour, 1_000_000]
    await insertMany(at, total)
    const interval = { data_interval_start: new Date(at), data_interval_end: new Date(at + hour) }
    const row = await createExport('many', { file_format: 'Parquet', compression: 'zstd' })
    const window = await written(row, interval)
    expect(window.rows_written).toBe(total)
    expect(await verified(row, window)).toMatchObject({ ...intact, rows_read: total })
  })
}

/**
 * Runs an attempt to a place that hangs, and expects that it ends 15 seconds after it was last read, written or sent.
 * @param hung resolves when the place hangs
 * @param place how its address begins in the error
 */
export async function expectStall(
  row: BatchExportRow,
  interval: Parameters<typeof runRow>[1],
  hung: Promise<unknown>,
  place: string,
): Promise<void> {
  const controller = new AbortController()
  const [onWaiting, onStall] = [vi.fn(), vi.fn((error: unknown) => controller.abort(error))]
  const control = { onProgress: () => undefined, signal: controller.signal, onWaiting, onStall }
  const running = exportRun(jobs.services, row, runRow(row, interval), control)
  running.catch(() => undefined)
  await hung
  const began = jobs.clock.time
  await expect
    .poll(() => ((jobs.clock.time += 1500), onStall.mock.calls.length), { interval: 300, timeout: 60_000 })
    .toBe(1)
  expect(jobs.clock.time - began).toBeGreaterThanOrEqual(15_000)
  await expect(running).rejects.toThrow(`Nothing was read, written or sent to ${place}`)
  expect(onWaiting.mock.calls).toEqual([[true], [false]])
  expect(await waitingUploads()).toEqual([])
}
