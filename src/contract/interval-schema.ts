import { z } from 'zod'
import { intervals } from './interval.ts'

export const Interval = z.enum(intervals)
export type Interval = z.infer<typeof Interval>
