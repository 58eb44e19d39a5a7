import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { formatInstant } from '../../../contract/instant.ts'
import {
  decodeLedgerStates,
  Ledger,
  LedgerFlags,
  LedgerReceipt,
  ReceiptKey,
} from '../../../contract/runs/ledger.ts'
import { Overview } from '../../../contract/exports/overview.ts'
import { checkReceipt } from '../../exporter/verify/receipt.ts'
import { verifyNext } from '../../background/verify-windows.ts'
import { createExport, insertRun, insertEntry } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const hour = 3_600_000

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const bucket = {
  bucket_name: 'lake',
  region: 'eu-central-1',
  prefix: 'events',
  aws_access_key_id: 'key',
  aws_secret_access_key: 'secret',
}

type Made = Pick<BatchExport, 'id' | 'team_id'>
const pathOf = ({ id }: Made, rest = '') => `/api/projects/@current/batch_exports/${id}/ledger/${rest}`
/** Start of the hour that ended `hours` hours before the current one. */
const hoursAgo = (hours: number) => Math.floor(service.clock.now() / hour) * hour - hours * hour

/** Records a completed run for each of the last `rows.length` hours, newest last, with these numbers of rows and of objects. */
async function recorded(rows: readonly number[], key = 'daily/a.jsonl', objects = 1): Promise<Made> {
  const made = await createExport(service)
  for (const [index, count] of rows.entries()) {
    const start = new Date(hoursAgo(rows.length - index))
    const bounds = { data_interval_start: start, data_interval_end: new Date(start.getTime() + hour) }
    const run = await insertRun(service, made, { ...bounds, status: 'Completed', records_completed: count })
    const object = { key, bytes: 10, checksum: 'abc', holds: 'rows' as const }
    await insertEntry(service, run, {
      rows_expected: count,
      rows_written: count,
      objects: count === 0 ? [] : Array.from({ length: objects }, () => object),
    })
  }
  return made
}

async function ledgerOf(made: Made, query = '') {
  return bodyOf(Ledger, await service.request('GET', `${pathOf(made)}${query}`))
}

async function verifyAll() {
  while (await verifyNext(service.services, new AbortController().signal));
}

test('GET /api/projects/:project_id/batch_exports/:id/ledger/ returns one row per window with totals', async () => {
  const made = await recorded([3, 0, 2])
  const ledger = await ledgerOf(made)
  expect(ledger).toMatchObject({
    interval: 'hour',
    verify: 'never',
    verification: null,
    totals: { windows: 3, states: { unverified: 3 }, flags: {} },
    next: null,
    previous: null,
  })
  expect(decodeLedgerStates(ledger.states).filter((state) => state === 'unverified')).toHaveLength(3)
  expect(ledger.results.map(({ start, entry }) => [start, entry?.rows_written])).toEqual([
    [formatInstant(hoursAgo(1)), 2],
    [formatInstant(hoursAgo(2)), 0],
    [formatInstant(hoursAgo(3)), 3],
  ])
  expect(ledger.results[0]?.entry?.objects).toEqual([
    { key: 'daily/a.jsonl', bytes: 10, checksum: 'abc', holds: 'rows' },
  ])
  const [start, end] = [hoursAgo(3), hoursAgo(2)].map(formatInstant)
  expect((await ledgerOf(made, `?start=${start}&end=${end}`)).results).toHaveLength(1)
})

test('after an edit of the interval, the ledger lists the windows that the runs had', async () => {
  const hours = 34
  const made = await recorded(Array.from({ length: hours }, (_, index) => index))
  const path = `/api/projects/@current/batch_exports/${made.id}/`
  const before = await ledgerOf(made)
  for (const interval of ['day', 'week', 'every 15 minutes']) {
    await service.request('PATCH', path, { body: { interval } })
    const { results, totals } = await ledgerOf(made)
    expect(results.filter(({ entry }) => entry !== null)).toEqual(before.results)
    expect(totals.states['unverified']).toBe(hours)
  }
  const body = { windows: [formatInstant(hoursAgo(hours))] }
  expect((await service.request('POST', pathOf(made, 'verify/'), { body })).body).toMatchObject({ total: 1 })
  const csv = await service.request('GET', pathOf(made, 'download/'))
  expect(csv.text.split('\r\n').filter((line) => line.includes(',unverified,'))).toHaveLength(hours)
})

test('GET /api/projects/:project_id/batch_exports/:id/ledger/ pages by time in both directions', async () => {
  const made = await recorded(Array(230).fill(0))
  const pages: Ledger[] = []
  for (let url: string | null = pathOf(made); url !== null; url = pages.at(-1)?.next ?? null)
    pages.push(bodyOf(Ledger, await service.request('GET', url)))
  expect(pages.map(({ results }) => results.length)).toEqual([100, 100, 30])
  const starts = pages.flatMap(({ results }) => results.map(({ start }) => start))
  expect(new Set(starts).size).toBe(230)
  expect(pages.map(({ states }) => states)).toEqual(pages.map(() => pages[0]?.states))
  const back = bodyOf(Ledger, await service.request('GET', pages[2]?.previous ?? ''))
  expect(back.results).toEqual(pages[1]?.results)
  const first = bodyOf(Ledger, await service.request('GET', pages[1]?.previous ?? ''))
  expect(first.results).toEqual(pages[0]?.results)
})

test('GET /api/projects/:project_id/batch_exports/:id/ledger/flags/ returns the flagged windows of a period, as does the overview', async () => {
  const made = await recorded([3, 2, 5])
  const flagged = async (query = '') =>
    bodyOf(LedgerFlags, await service.request('GET', pathOf(made, `flags/${query}`))).windows
  expect(await flagged()).toEqual([])
  const change = async (hours: number, found: { rows_read?: number; late_rows?: number }) =>
    service.services.store
      .updateTable('batch_export_ledger')
      .set({ verified_at: new Date(service.clock.now()), objects_found: 'intact', ...found })
      .where('batch_export_id', '=', made.id)
      .where('data_interval_start', '=', new Date(hoursAgo(hours)))
      .execute()
  await change(3, { rows_read: 1 })
  await change(1, { late_rows: 4 })
  await change(2, {})
  const bounds = (hours: number) => ({
    start: formatInstant(hoursAgo(hours)),
    end: formatInstant(hoursAgo(hours - 1)),
  })
  expect(await flagged()).toEqual([
    { ...bounds(3), flags: ['short'] },
    { ...bounds(1), flags: ['late'] },
  ])
  const { start, end } = bounds(1)
  expect(await flagged(`?start=${start}&end=${end}`)).toHaveLength(1)
  const overview = await service.request('GET', '/api/projects/@current/batch_exports/overview/')
  expect(bodyOf(Overview, overview).results.find(({ id }) => id === made.id)?.flagged).toEqual([
    { start: bounds(3).start, flags: ['short'] },
    { start, flags: ['late'] },
  ])
})

test('many objects are counted in the ledger, all in the CSV file, and too many for a receipt', async () => {
  const made = await recorded([1, 1], 'a', 30_000)
  const [newest] = (await ledgerOf(made)).results
  expect(newest?.entry).toMatchObject({ object_count: 30_000, bytes: 300_000 })
  expect(newest?.entry?.objects).toHaveLength(100)
  const { text } = await service.request('GET', pathOf(made, 'download/'))
  expect(text.match(/abc/g)).toHaveLength(60_000)
  expect(text).toContain(',300000,')
  const all = await service.request('GET', pathOf(made, 'receipt/'))
  expect([all.status, problemOf(all).detail]).toEqual([400, expect.stringMatching(/wrote 60000 objects/)])
  const half = await service.request('GET', pathOf(made, `receipt/?start=${formatInstant(hoursAgo(1))}`))
  const { receipt } = bodyOf(LedgerReceipt, half)
  expect(receipt.windows[0]?.entry?.objects).toHaveLength(30_000)
  expect(receipt.hashes).toEqual({ etag: 30_000 })
})

test('a period that is empty or too long is rejected', async () => {
  const made = await createExport(service)
  const detail = async (query: string) =>
    problemOf(await service.request('GET', `${pathOf(made)}${query}`)).detail
  expect(await detail('?start=2026-03-02&end=2026-03-01')).toBe("'end' must be after 'start'.")
  expect(await detail('?start=2000-01-01&end=2026-03-01')).toMatch(/the maximum is 10500/)
  expect(await detail('?start=yesterday')).toMatch(/wrong format/)
})

test('POST /api/projects/:project_id/batch_exports/:id/ledger/verify/ returns 201 and verifies in the background', async () => {
  const made = await recorded([0, 0, 1])
  const windows = [formatInstant(hoursAgo(3)), formatInstant(hoursAgo(1))]
  const response = await service.request('POST', pathOf(made, 'verify/'), { body: { windows } })
  expect([response.status, response.body]).toEqual([
    201,
    expect.objectContaining({ status: 'Running', total: 2, done: 0 }),
  ])
  await verifyAll()
  const ledger = await ledgerOf(made)
  expect(ledger.verification).toMatchObject({ status: 'Completed', total: 2, done: 2 })
  expect(ledger.results.map(({ state, flags }) => [state, ...flags])).toEqual([
    ['refuted', 'gone', 'source'],
    ['unverified'],
    ['proven'],
  ])
  const all = { start: formatInstant(hoursAgo(3)), end: formatInstant(hoursAgo(0)) }
  expect((await service.request('POST', pathOf(made, 'verify/'), { body: all })).status).toBe(201)
  const before = { start: '2026-01-01', end: '2026-01-02' }
  const refused = await service.request('POST', pathOf(made, 'verify/'), { body: before })
  expect([refused.status, problemOf(refused).detail]).toEqual([400, expect.stringMatching(/no entry/)])
})

test('PATCH /api/projects/:project_id/batch_exports/:id/ledger/ sets when windows are verified, with history', async () => {
  const made = await createExport(service)
  const set = (verify: string) => service.request('PATCH', pathOf(made), { body: { verify } })
  expect((await set('each_run')).body).toEqual({ verify: 'each_run' })
  expect((await ledgerOf(made)).verify).toBe('each_run')
  expect((await set('hourly')).status).toBe(400)
  await set('each_run')
  const changes = await service.request('GET', `/api/projects/@current/batch_exports/${made.id}/changes/`)
  expect(changes.body).toMatchObject({
    results: [
      { kind: 'updated', fields: [{ field: 'verify', before: 'never', after: 'each_run', secret: false }] },
      { kind: 'created' },
    ],
  })
})

test('GET /api/projects/:project_id/batch_exports/:id/ledger/download/ returns CSV that no spreadsheet computes', async () => {
  const made = await recorded([1, 0], '=1+1,"x"')
  const response = await service.request('GET', pathOf(made, 'download/'))
  expect(response.headers['content-type']).toBe('text/csv')
  const [head, ...lines] = response.text.trimEnd().split('\r\n')
  expect(head).toMatch(/^start,end,state,flags,/)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`${formatInstant(hoursAgo(2))},${formatInstant(hoursAgo(1))},unverified,`)
  expect(lines[1]).toContain(`"'=1+1,""x"""`)
})

test('GET /api/projects/:project_id/batch_exports/:id/ledger/receipt/ returns a receipt signed with the published key', async () => {
  const made = await recorded([0, 0])
  await service.request('POST', pathOf(made, 'verify/'), {
    body: { windows: [formatInstant(hoursAgo(1))] },
  })
  await verifyAll()
  const response = await service.request('GET', pathOf(made, 'receipt/'))
  const { public_key } = bodyOf(ReceiptKey, await service.request('GET', '/api/receipt_key/'))
  expect(bodyOf(LedgerReceipt, response).public_key).toBe(public_key)
  const receipt = checkReceipt(response.text, public_key)
  expect(receipt).toMatchObject({
    export: {
      id: made.id,
      name: 'Daily events',
      destination: expect.stringMatching(/^daily-\d+$/) as unknown,
    },
    totals: { windows: 2, states: { proven: 1, unverified: 1 } },
    hashes: {},
  })
  expect(receipt.windows).toEqual((await ledgerOf(made)).results)
  expect(() => checkReceipt(response.text.replace('unverified', 'proven'), public_key)).toThrow('not valid')
})

test('the receipt of an export to a bucket names the bucket', async () => {
  const made = await createExport(service, { destination: { type: 'S3', config: bucket } })
  const { receipt } = bodyOf(LedgerReceipt, await service.request('GET', pathOf(made, 'receipt/')))
  expect(receipt.export.destination).toBe('s3://lake')
})

test('a receipt names the destination at which each window was proven, not a later one', async () => {
  const made = await recorded([0, 0])
  await service.request('POST', pathOf(made, 'verify/'), {
    body: { start: formatInstant(hoursAgo(2)), end: formatInstant(hoursAgo(0)) },
  })
  await verifyAll()
  const destination = { type: 'S3', config: bucket }
  await service.request('PATCH', `/api/projects/@current/batch_exports/${made.id}/`, {
    body: { destination },
  })
  const { receipt } = bodyOf(LedgerReceipt, await service.request('GET', pathOf(made, 'receipt/')))
  expect(receipt).toMatchObject({
    export: { destination: expect.stringMatching(/^daily-\d+$/) as unknown },
    totals: { states: { proven: 2 } },
  })
  const { destination: path } = receipt.export
  expect(receipt.windows.map(({ entry }) => entry?.destination)).toEqual([path, path])
  const { text } = await service.request('GET', pathOf(made, 'download/'))
  expect(text).toContain(`,${path},`)
  expect(text).not.toContain('lake')
})

test('GET /api/receipt_key/ returns the same public key to every project', async () => {
  const own = await service.request('GET', '/api/receipt_key/')
  const other = await service.request('GET', '/api/receipt_key/', { key: service.other.api_key })
  expect(bodyOf(ReceiptKey, own).public_key).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
  expect(other.body).toEqual(own.body)
})
