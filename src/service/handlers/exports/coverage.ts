import { coverageWindowsMax, encodeCoverage } from '../../../contract/coverage.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { countWindows, touchedPeriod, windowsBetween } from '../../../contract/interval.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { earliestRunStart, pausesOf, runsBetween } from '../../store/window-runs.ts'
import type { Handler } from '../handler.ts'
import { readInstant } from './read-instant.ts'
import { exportLifetime, windowCoverage } from '../../store/window-coverage.ts'

/** Returns the state of every whole window that the period touches. */
export const coverageOfBatchExport: Handler<'coverageOfBatchExport'> = async ({
  services,
  batchExport,
  query,
}) => {
  const { store, clock } = services
  const { interval, id } = batchExport
  const [from, until] = [readInstant<never>(query.start).getTime(), readInstant<never>(query.end).getTime()]
  if (from >= until) throw invalidInput("'end' must be after 'start'.", ['end'])
  const count = countWindows(interval, from, until)
  if (count > coverageWindowsMax)
    throw invalidInput(
      `This period has ${count} windows; the maximum is ${coverageWindowsMax}. Move 'start' and 'end' closer together.`,
      ['start'],
    )
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
