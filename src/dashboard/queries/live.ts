import type { Pace } from './poll-schedule.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { live?: (data: unknown) => Pace }
  }
}

/**
 * Returns query options that poll a query while it is on the page, within the request budget that all tabs share. `pace`
 * derives the pace from the newest response.
 */
export function live<Data>(pace: (data: Data) => Pace): { meta: { live: (data: unknown) => Pace } } {
  return { meta: { live: (data) => pace(data as Data) } }
}

/** Returns the pace for data that is either running or at rest. */
export function paceOf(running: boolean): Pace {
  return running ? 'running' : 'resting'
}
