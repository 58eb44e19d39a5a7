import { intervalLength, type Interval } from '../../contract/interval.ts'

/** Describes an interval: `every hour`, `every 5 minutes`. */
export function everyInterval(interval: Interval): string {
  return interval.startsWith('every') ? interval : `every ${interval}`
}

/** Describes an interval briefly: `hourly`, `5 min`. */
export function shortInterval(interval: Interval): string {
  switch (interval) {
    case 'hour':
      return 'hourly'
    case 'day':
      return 'daily'
    case 'week':
      return 'weekly'
    default:
      return `${intervalLength(interval) / 60_000} min`
  }
}
