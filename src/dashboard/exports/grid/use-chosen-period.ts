import { parseInstant } from '../../../contract/instant.ts'
import type { Interval, Window } from '../../../contract/interval.ts'
import { customBounds, periodsFor, type PeriodName } from './period.ts'
import { useBounds } from './use-bounds.ts'

/** Search parameters that choose a period. */
export type ChosenPeriod = {
  period?: PeriodName | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * Returns the period that the URL chooses, else `usual`; the name is null for a custom period. `until` (ms): end of the usual
 * period, if that has passed.
 */
export function useChosenPeriod(
  interval: Interval,
  chosen: ChosenPeriod,
  usual: PeriodName,
  until?: number,
): { period: PeriodName | null; bounds: Window } {
  const fits = chosen.period !== undefined && periodsFor(interval).includes(chosen.period)
  const period = fits && chosen.period ? chosen.period : usual
  const named = useBounds(interval, period, fits ? undefined : until)
  const [from, to] = [chosen.from, chosen.to].map((text) => parseInstant(text ?? '')?.time)
  if (from === undefined || to === undefined) return { period, bounds: named }
  return { period: null, bounds: customBounds(interval, from, to) }
}
