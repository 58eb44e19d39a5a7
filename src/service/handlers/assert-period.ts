import { coverageWindowsMax } from '../../contract/runs/window-state.ts'
import { countWindows, type Interval, type Window } from '../../contract/interval.ts'
import { invalidInput } from '../problems/api-error.ts'

/** Rejects a period (milliseconds) that is empty or has too many windows. @throws ApiError 400 naming the parameter. */
export function assertPeriod(interval: Interval, { start, end }: Window): void {
  if (start >= end) throw invalidInput("'end' must be after 'start'.", ['end'])
  const count = countWindows(interval, start, end)
  if (count > coverageWindowsMax)
    throw invalidInput(
      `This period has ${count} windows; the maximum is ${coverageWindowsMax}. Move 'start' and 'end' closer together.`,
      ['start'],
    )
}
