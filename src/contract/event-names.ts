import { z } from 'zod'

const countMax = 500
/** Keeps a list below the 128 KiB that ClickHouse accepts in a query parameter, at up to 3 bytes per character. */
const lengthMax = 40_000

/** Names of the events that an export includes or excludes. */
export const EventNames = z
  .array(z.string())
  .max(countMax, { error: `List at most ${countMax} events.` })
  .refine((names) => names.reduce((length, name) => length + name.length, 0) <= lengthMax, {
    error: `List events with at most ${lengthMax.toLocaleString('en')} characters in total.`,
  })
