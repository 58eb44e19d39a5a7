import { z } from 'zod'

/** Rows that a sweep removed. */
export const SweptData = z.object({ events: z.int(), runs: z.int(), logs: z.int() })
export type SweptData = z.infer<typeof SweptData>
