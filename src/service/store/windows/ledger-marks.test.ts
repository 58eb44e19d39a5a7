import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFlagsOf } from '../../../contract/runs/ledger.ts'
import { createExport } from '../../testing/test-rows.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { flaggedMarks } from './ledger-marks.ts'
import { newId } from '../schema/identifier.ts'

const hour = 3_600_000

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('the stored column finds exactly the windows that the rules flag, whatever a verification found', async () => {
  const { store } = service.services
  const { id } = await createExport(service)
  const entries = [1, 2].flatMap((rows_written) =>
    [null, 1, 2, 3].flatMap((rows_read) =>
      [null, 0, 1, 2].flatMap((rows_source) =>
        [null, 'a', 'b'].flatMap((hash_read) =>
          ([null, 'intact', 'changed', 'gone'] as const).flatMap((objects_found) =>
            [0, 1].map((late_rows) => ({
              rows_written,
              rows_read,
              rows_source,
              hash_read,
              objects_found,
              late_rows,
            })),
          ),
        ),
      ),
    ),
  )
  const rows = entries.map((entry, index) => ({
    ...entry,
    batch_export_id: id,
    data_interval_start: new Date(index * hour),
    data_interval_end: new Date((index + 1) * hour),
    run_id: newId(0),
    selects_by: 'arrival' as const,
    taken_until: new Date(0),
    settings: '{}',
    rows_expected: 2,
    hash_expected: 'a',
    objects: '[]',
    written_at: new Date(0),
  }))
  await store.insertInto('batch_export_ledger').values(rows).execute()
  const expected = rows.flatMap((row) => {
    const flags = ledgerFlagsOf({ ...row, verified: true, problem: null }, null)
    return flags.length === 0 ? [] : [{ start: row.data_interval_start.getTime(), flags }]
  })
  const unheld = rows
    .filter(({ rows_source }) => rows_source === 0)
    .map((row) => row.data_interval_start.getTime())
  const found = (await flaggedMarks(store, [{ id, start: 0, end: 10_000 * hour }])).get(id)
  expect(expected.length).toBeGreaterThan(100)
  expect(found?.map(({ start, flags }) => ({ start, flags }))).toEqual(expected)
  // Exporting a window again whose source has no rows any more would write nothing.
  const marksOfUnheld = found?.filter(({ start }) => unheld.includes(start))
  expect(marksOfUnheld).toHaveLength(unheld.length)
  expect(marksOfUnheld?.every(({ isRefuted, isUnheld }) => isUnheld && !isRefuted)).toBe(true)
  const later = await flaggedMarks(store, [{ id, start: 500 * hour, end: 600 * hour }])
  expect(later.get(id)?.every(({ start }) => start >= 500 * hour && start < 600 * hour)).toBe(true)
})
