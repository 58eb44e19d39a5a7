import { encodeCoverage } from '../../../contract/runs/coverage.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { touchedPeriod, windowsBetween } from '../../../contract/interval.ts'
import { readExpectation } from '../../store/windows/expectation.ts'
import { flaggedMarks } from '../../store/windows/ledger-marks.ts'
import { runsBetween } from '../../store/windows/window-runs.ts'
import { judgeWindows } from '../../store/windows/window-states.ts'
import type { Handler } from '../handler.ts'
import { assertPeriod } from '../assert-period.ts'
import { readInstant } from '../read-instant.ts'

/** Returns the state of every whole window that the period touches. */
export const coverageOfBatchExport: Handler<'coverageOfBatchExport'> = async ({
  services,
  batchExport,
  query,
}) => {
  const { store, clock } = services
  const { interval, id } = batchExport
  const [from, until] = [readInstant<never>(query.start).getTime(), readInstant<never>(query.end).getTime()]
  assertPeriod(interval, { start: from, end: until })
  const windows = windowsBetween(interval, from, until)
  const { start, end } = touchedPeriod(interval, from, until)
  const now = clock.now()
  const [runs, marks, expectation] = await Promise.all([
    runsBetween(store, batchExport, start, end),
    flaggedMarks(store, [{ id, start, end }]),
    readExpectation(store, batchExport, now),
  ])
  const states = judgeWindows(windows, runs, marks.get(id) ?? [], expectation, now)
  return { interval, start: formatInstant(start), end: formatInstant(end), ...encodeCoverage(states) }
}
