import { azureBlob } from './azure-blob.ts'
import { clickhouse } from './clickhouse.ts'
import type { DestinationKind } from './destination-kind.ts'
import type { DestinationType } from './destination.ts'
import { file } from './file.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { awsS3, s3Compatible } from './s3-family.ts'
import { s3 } from './s3.ts'
import { sftp } from './sftp.ts'
import { webhook } from './webhook.ts'

export const destinationKinds = {
  S3: s3,
  AwsS3: awsS3,
  S3Compatible: s3Compatible,
  AzureBlob: azureBlob,
  SFTP: sftp,
  File: file,
  Postgres: postgres,
  MySQL: mysql,
  ClickHouse: clickhouse,
  Webhook: webhook,
} satisfies Record<DestinationType, DestinationKind>
