import { parseInstant } from '../../contract/instant.ts'
import { invalidInput } from '../problems/api-error.ts'
import { coverageWindowsMax } from '../../contract/runs/window-state.ts'
import { countWindows, type Interval, type Window } from '../../contract/interval.ts'

/** Parses a datetime that the contract has validated; returns null and undefined unchanged. */
export function readInstant<Absent extends null | undefined>(text: string | Absent): Date | Absent {
  if (typeof text !== 'string') return text
  const parsed = parseInstant(text)
  if (!parsed) throw new Error(`the contract accepted an invalid datetime: ${text}`)
  return new Date(parsed.time)
}

/** @throws ApiError 400 if an export's end is not after its start. */
export function assertOrder(bounds: { start_at: Date | null; end_at: Date | null }): void {
  const { start_at: start, end_at: end } = bounds
  if (start && end && start.getTime() >= end.getTime())
    throw invalidInput("'end_at' must be after 'start_at'.", ['end_at'])
}

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
