import { useCallback } from 'react'
import { windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { useNow } from '../../ui/use-now.ts'
import { periodBounds, type PeriodName } from './period.ts'

/** Returns the bounds of a period up to now; they move on whenever a window ends. */
export function useBounds(interval: Interval, period: PeriodName): Window {
  const end = useNow(useCallback((now: number) => windowAt(interval, now).end, [interval]))
  return periodBounds(interval, period, end - 1)
}
