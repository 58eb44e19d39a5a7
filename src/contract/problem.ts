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

/** The body of every answer from 400 upward. */
export const Problem = z.object({
  type: ProblemType,
  code: z.string(),
  detail: z.string(),
  attr: z.string().nullable(),
  request_id: z.string(),
  issues: z.array(Issue).optional(),
})
export type Problem = z.infer<typeof Problem>
