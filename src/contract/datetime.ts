import { z } from 'zod'
import { parseInstant } from './instant.ts'

/** A datetime in a response. */
export const Instant = z.string().meta({ format: 'date-time' })

/** A datetime in a request: ISO 8601, in UTC unless it has an offset. Remains a string, for `parseInstant`. */
export const InstantInput = z
  .string()
  .refine((text) => parseInstant(text) !== null, {
    error: 'Datetime has wrong format. Use ISO 8601, for example 2026-01-31T09:00:00Z.',
  })
  .meta({ format: 'date-time' })
