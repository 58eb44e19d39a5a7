import { z } from 'zod'
import { asciiError, controlError } from '../destinations/s3.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { ConnectionName } from './server.ts'

/** Keys of a store with Amazon S3's interface. */
export const accessKeyFields = {
  aws_access_key_id: z.string().min(1),
  aws_secret_access_key: z.string().min(1),
}
export const accessKeys = Object.keys(accessKeyFields)
export const accessKeyLengths = { aws_access_key_id: 2000, aws_secret_access_key: 2000 }

export const AwsS3Connection = z.strictObject({ name: ConnectionName, ...accessKeyFields })

export const awsS3: IntegrationKind<typeof AwsS3Connection> = {
  config: AwsS3Connection,
  secrets: accessKeys,
  lengthsMax: accessKeyLengths,
  rules: (_, text) => [
    ['aws_access_key_id', 'error', asciiError(text('aws_access_key_id'))],
    ['aws_secret_access_key', 'error', controlError(text('aws_secret_access_key'))],
  ],
  ownName: () => '',
  addressOf: () => 'Amazon S3',
  urlOf: () => null,
}
