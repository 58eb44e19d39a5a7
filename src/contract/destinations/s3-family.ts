import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import type { DestinationKind, TextOf } from './destination-kind.ts'
import type { PosthogStep } from './destination-test.ts'
import { fileFields } from './destination.ts'
import { s3, S3Config } from './s3.ts'

/** Fields of a bucket whose keys, and endpoint if it has one, are those of a connection. */
const bucketFields = {
  bucket_name: PlainText,
  region: PlainText,
  prefix: PlainText,
  /** Accepted from PostHog's clients, which may also send `false`: Parquet files never name their compression. */
  legacy_parquet_extension: z
    .literal(false, { error: 'It cannot be turned on: only exports from before this setting have it.' })
    .optional(),
  ...fileFields,
}

const { encryption, kms_key_id, use_virtual_style_addressing } = S3Config.shape

export const AwsS3Config = z.strictObject({ ...bucketFields, encryption, kms_key_id })
export const S3CompatibleConfig = z.strictObject({ ...bucketFields, use_virtual_style_addressing })

/** Exports to these buckets keep their type. */
const { changesTo: _, ...bucket } = s3

/** What both have in common with a bucket whose keys are in the export's own config. */
const inBucket = {
  ...bucket,
  secrets: [],
  filled: ['bucket_name', 'region', 'prefix'],
  initial: { legacy_parquet_extension: false },
} satisfies Partial<DestinationKind>

const bucketStep: PosthogStep = {
  name: 'Check S3 bucket exists',
  description:
    'Ensure the configured S3 bucket exists and that we have the required permissions to access it.',
  covers: ['Address', 'Reach', 'Credentials', 'Bucket'],
}

/** A bucket at Amazon, reached with the keys of a connection. */
export const awsS3: DestinationKind<typeof AwsS3Config> = {
  ...inBucket,
  config: AwsS3Config,
  integration: { kind: 'aws-s3', replaces: [] },
  posthogSteps: [
    {
      name: 'Ensure we can assume provided AWS role',
      description:
        'Ensure the configured AWS role ARN exists and that we have the required trust relationship to assume it.',
      covers: [],
    },
    bucketStep,
  ],
}

/** A bucket in another store with Amazon S3's interface, whose endpoint and keys are those of a connection. */
export const s3Compatible: DestinationKind<typeof S3CompatibleConfig> = {
  ...inBucket,
  config: S3CompatibleConfig,
  rules: (config, text) => s3.rules(config, withEndpoint(text)),
  placeOf: (text) => s3.placeOf(withEndpoint(text)),
  integration: { kind: 's3-compatible', replaces: [] },
  posthogSteps: [bucketStep],
}

/** Stands for an endpoint that only the connection names, so that the rules of Amazon do not apply. */
function withEndpoint(text: TextOf): TextOf {
  return (field) => text(field) || (field === 'endpoint_url' ? 'https://s3-compatible' : '')
}
