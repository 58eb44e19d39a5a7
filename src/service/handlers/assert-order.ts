import { invalidInput } from '../problems/api-error.ts'

/** @throws ApiError 400 if an export's end is not after its start. */
export function assertOrder(bounds: { start_at: Date | null; end_at: Date | null }): void {
  const { start_at: start, end_at: end } = bounds
  if (start && end && start.getTime() >= end.getTime())
    throw invalidInput("'end_at' must be after 'start_at'.", ['end_at'])
}
