import { intervalLength, type Interval } from '../../contract/interval.ts'

/** Describes an interval: `every hour`, `every 5 minutes`. */
export function everyInterval(interval: Interval): string {
  return interval.startsWith('every') ? interval : `every ${interval}`
}

/** Describes an interval briefly: `hourly`, `5 min`. */
export function shortInterval(interval: Interval): string {
  if (interval === 'day') return 'daily'
  return interval.startsWith('every') ? `${intervalLength(interval) / 60_000} min` : `${interval}ly`
}
