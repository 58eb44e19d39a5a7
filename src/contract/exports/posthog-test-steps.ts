import { z } from 'zod'
import { BatchExportCreate, BatchExportUpdate } from './batch-export.ts'
import type { DestinationKind } from '../destinations/destination-kind.ts'
import type { PosthogStep, TestStepName } from '../destinations/destination-test.ts'
import { destinationKinds } from '../destinations/destination-kinds.ts'
import { DestinationType } from '../destinations/destination.ts'

/** A step of a destination's test as PostHog's clients know it; `result`: null until it is run. */
const Step = z.object({
  name: z.string(),
  description: z.string(),
  result: z
    .object({ status: z.enum(['Passed', 'Failed', 'Skipped']), message: z.string().nullable() })
    .nullable(),
})

export const PosthogSteps = z.object({ steps: z.array(Step) })
export const RunTestStep = Step.extend({ result: Step.shape.result.unwrap() })

export const TestStepsQuery = z.object({ destination: z.string().min(1) })

/** Index of a step; PostHog's clients may send it as text. */
const step = z.coerce.number().int().min(0).max(100).default(0)
export const NewTestStepInput = BatchExportCreate.extend({ step })
export const TestStepInput = BatchExportUpdate.extend({ step })

const descriptions: Record<TestStepName, string> = {
  Address: 'Find the addresses of the host, and check that exports may be written there.',
  Reach: 'Open a connection to the host.',
  TLS: 'Encrypt the connection, and check the certificate as configured.',
  Credentials: 'Sign in.',
  Bucket: 'Find the bucket.',
  Container: 'Find the container.',
  Folder: 'Find the folder, or create it.',
  Database: 'Open the database.',
  Schema: 'Find the schema.',
  Table: 'Find the table, or check that it can be created.',
  Write: 'Write something small as an export does.',
  Remove: 'Remove what was written.',
}

/** Returns the steps of a type: PostHog's, if it has some, then those of the destination's test; null for an unknown type. */
export function testStepsOf(name: string): PosthogStep[] | null {
  const type = DestinationType.safeParse(name).data
  if (!type) return null
  const { steps, posthogSteps = [] }: DestinationKind = destinationKinds[type]
  return [
    ...posthogSteps,
    ...steps.map((each) => ({ name: each, description: descriptions[each], covers: [each] })),
  ]
}
