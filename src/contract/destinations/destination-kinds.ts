import type { DestinationKind } from './destination-kind.ts'
import type { DestinationType } from './destination.ts'
import { file } from './file.ts'
import { postgres } from './postgres.ts'
import { s3 } from './s3.ts'

export const destinationKinds = { S3: s3, File: file, Postgres: postgres } satisfies Record<
  DestinationType,
  DestinationKind
>
