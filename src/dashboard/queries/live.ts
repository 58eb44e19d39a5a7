import type { Pace } from './look.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { live?: (data: unknown) => Pace }
  }
}

/**
 * Makes a query one that is looked at again while it is on the page, out of the one budget that all tabs share: spread it into
 * the query's options. `pace` judges the newest answer.
 */
export function live<Data>(pace: (data: Data) => Pace): { meta: { live: (data: unknown) => Pace } } {
  return { meta: { live: (data) => pace(data as Data) } }
}

/** The pace of what either runs or rests. */
export function paceOf(running: boolean): Pace {
  return running ? 'running' : 'resting'
}
