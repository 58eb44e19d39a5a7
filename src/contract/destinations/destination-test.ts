import { z } from 'zod'
import { DestinationInput } from './destination.ts'

/** The destination to test. With the `id` of a batch export, omitted config (usually secrets) is taken from its stored destination. */
export const DestinationTestInput = z.object({ destination: DestinationInput, id: z.string().optional() })

export const testStepNames = [
  'Address',
  'Reach',
  'TLS',
  'Credentials',
  'Bucket',
  'Container',
  'Folder',
  'Database',
  'Schema',
  'Table',
  'Write',
  'Remove',
] as const
export type TestStepName = (typeof testStepNames)[number]

/** A step that PostHog's clients expect; `covers`: the steps of the test that it stands for; none if it never applies. */
export type PosthogStep = { name: string; description: string; covers: readonly TestStepName[] }

/** The steps of a bucket; a folder on the service's disk has only those that write and remove. */
export const bucketSteps = ['Address', 'Reach', 'Credentials', 'Bucket', 'Write', 'Remove'] as const

/** The steps of a table in a database with schemas. */
export const tableSteps = [
  'Address',
  'Reach',
  'TLS',
  'Credentials',
  'Database',
  'Schema',
  'Table',
  'Write',
  'Remove',
] as const

/** The steps of a table in a database without schemas. */
export const databaseSteps = tableSteps.filter((name) => name !== 'Schema')

/** How a step ended: `detail` describes the result, `remedy` the fix (null unless the step failed). */
export const TestStep = z.object({
  name: z.enum(testStepNames),
  status: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
  remedy: z.string().nullable(),
})
export type TestStep = z.infer<typeof TestStep>

export const DestinationTest = z.object({ ok: z.boolean(), steps: z.array(TestStep) })
export type DestinationTest = z.infer<typeof DestinationTest>
