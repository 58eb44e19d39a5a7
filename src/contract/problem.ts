import { z } from 'zod'

export const ProblemType = z.enum([
  'validation_error',
  'invalid_request',
  'authentication_error',
  'throttled_error',
  'server_error',
])

/** One validation error: `path` lists the keys from the body's root, `message` says how to fix the error. */
export const Issue = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })
export type Issue = z.infer<typeof Issue>

/** Position of an error in a query: line and column are 1-based, the offset is 0-based, in UTF-16 code units. */
export const QueryPosition = z.object({ line: z.int(), column: z.int(), offset: z.int() })
export type QueryPosition = z.infer<typeof QueryPosition>

/** Body of every response with a status of 400 or above. */
export const Problem = z.object({
  type: ProblemType,
  code: z.string(),
  detail: z.string(),
  attr: z.string().nullable(),
  request_id: z.string(),
  issues: z.array(Issue).optional(),
  position: QueryPosition.optional(),
  /** When the link of the request expired or was revoked. */
  ended_at: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
