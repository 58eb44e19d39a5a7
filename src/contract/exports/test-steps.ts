import { z } from 'zod'
import { BatchExportCreate, BatchExportUpdate } from './batch-export.ts'
import type { ConnectionStepName } from '../destinations/connection-test.ts'
import { destinationKinds } from '../destinations/destination-kinds.ts'
import { DestinationType } from '../destinations/destination.ts'

/** A step of a destination's test as PostHog's clients know it; `result`: null until it is run. */
const TestStep = z.object({
  name: z.string(),
  description: z.string(),
  result: z
    .object({ status: z.enum(['Passed', 'Failed', 'Skipped']), message: z.string().nullable() })
    .nullable(),
})
export type TestStep = z.infer<typeof TestStep>

export const TestSteps = z.object({ steps: z.array(TestStep) })
export const RunTestStep = TestStep.extend({ result: TestStep.shape.result.unwrap() })

export const TestStepsQuery = z.object({ destination: z.string().min(1) })

/** Index of a step; PostHog's clients may send it as text. */
const step = z.coerce.number().int().min(0).max(100).default(0)
export const NewTestStepInput = BatchExportCreate.extend({ step })
export const TestStepInput = BatchExportUpdate.extend({ step })

/** `covers`: the steps of the connection test that it stands for; none if it never applies. */
export type KnownStep = { name: string; description: string; covers: readonly ConnectionStepName[] }

const bucketStep: KnownStep = {
  name: 'Check S3 bucket exists',
  description:
    'Ensure the configured S3 bucket exists and that we have the required permissions to access it.',
  covers: ['Address', 'Reach', 'Credentials', 'Bucket'],
}

/** PostHog's steps, in its order, of the types for which it has some. */
const posthogSteps: Readonly<Record<string, readonly KnownStep[]>> = {
  AwsS3: [
    {
      name: 'Ensure we can assume provided AWS role',
      description:
        'Ensure the configured AWS role ARN exists and that we have the required trust relationship to assume it.',
      covers: [],
    },
    bucketStep,
  ],
  S3Compatible: [bucketStep],
  AzureBlob: [
    {
      name: 'Check Azure Blob container exists',
      description:
        'Ensure the configured container exists and that we have the required permissions to access it.',
      covers: ['Address', 'Reach', 'Credentials', 'Container'],
    },
  ],
}

const descriptions: Record<ConnectionStepName, string> = {
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

/** Returns the steps of a type: PostHog's, if it has some, then those of the connection test; null for an unknown type. */
export function testStepsOf(name: string): KnownStep[] | null {
  const type = DestinationType.safeParse(name).data
  if (!type) return null
  const own = destinationKinds[type].steps.map((each): KnownStep => ({
    name: each,
    description: descriptions[each],
    covers: [each],
  }))
  return [...(posthogSteps[type] ?? []), ...own]
}
