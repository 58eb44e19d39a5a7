import { encodeCoverage } from '../../../contract/runs/coverage.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { touchedPeriod, windowsBetween } from '../../../contract/interval.ts'
import { exportLifetime, windowCoverage } from '../../store/windows/window-coverage.ts'
import { earliestRunStart, pausesOf, runsBetween } from '../../store/windows/window-runs.ts'
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
  const [runs, earliest, pauses] = await Promise.all([
    runsBetween(store, batchExport, start, end),
    earliestRunStart(store, id),
    pausesOf(store, [id], start),
  ])
  const lifetime = exportLifetime(batchExport, earliest?.getTime() ?? null, pauses.get(id) ?? [])
  const states = windowCoverage(windows, runs, lifetime, clock.now())
  return { interval, start: formatInstant(start), end: formatInstant(end), ...encodeCoverage(states) }
}
