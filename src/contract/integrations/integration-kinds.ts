import type { z } from 'zod'
import { awsS3 } from './aws-s3.ts'
import { azureBlob } from './azure-blob.ts'
import { clickhouse } from './clickhouse.ts'
import type { IntegrationKind } from './integration-kind.ts'
import type { IntegrationKindName } from '../destinations/integration-kind-names.ts'
import { mysql } from './mysql.ts'
import { postgresql } from './postgresql.ts'
import { s3Compatible } from './s3-compatible.ts'
import { sftp } from './sftp.ts'

export const integrationKinds: Record<IntegrationKindName, IntegrationKind<z.ZodType>> = {
  'aws-s3': awsS3,
  's3-compatible': s3Compatible,
  'azure-blob': azureBlob,
  postgresql,
  clickhouse,
  mysql,
  sftp,
}
