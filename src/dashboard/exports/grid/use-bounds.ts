import { useCallback } from 'react'
import { windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { useNow } from '../../ui/use-now.ts'
import { periodBounds, type PeriodName } from './period.ts'

/** Returns the bounds of a period up to now, or up to `until` (ms) if that has passed; they move on whenever a window ends. */
export function useBounds(interval: Interval, period: PeriodName, until = Infinity): Window {
  const end = useNow(
    useCallback((now: number) => windowAt(interval, Math.min(now, until)).end, [interval, until]),
  )
  return periodBounds(interval, period, end - 1)
}
