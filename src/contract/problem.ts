import { z } from 'zod'

export const ProblemType = z.enum([
  'validation_error',
  'invalid_request',
  'authentication_error',
  'throttled_error',
  'server_error',
])

/** One thing wrong with a request: where (keys from the body's root) and what to do. */
export const Issue = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })
export type Issue = z.infer<typeof Issue>

/** Where in a query something is wrong: line and column count from 1, the offset from 0 in UTF-16 units. */
export const QueryPosition = z.object({ line: z.int(), column: z.int(), offset: z.int() })
export type QueryPosition = z.infer<typeof QueryPosition>

/** The body of every answer from 400 upward. */
export const Problem = z.object({
  type: ProblemType,
  code: z.string(),
  detail: z.string(),
  attr: z.string().nullable(),
  request_id: z.string(),
  issues: z.array(Issue).optional(),
  position: QueryPosition.optional(),
})
export type Problem = z.infer<typeof Problem>
