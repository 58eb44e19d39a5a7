import type { DestinationType } from '../../contract/destinations/destination.ts'
import type { Services } from '../services.ts'
import type { DestinationColumns } from '../store/runs/batch-exports.ts'
import { ExportError } from '../problems/export-error.ts'
import type { DestinationDriver, OpenDestination } from './destination-driver.ts'
import { fileDriver } from './folder/file-driver.ts'
import { postgresDriver } from './postgres/postgres-driver.ts'
import { s3Driver } from './s3/s3-driver.ts'

export const destinationDrivers: Record<DestinationType, DestinationDriver> = {
  S3: s3Driver,
  File: fileDriver,
  Postgres: postgresDriver,
}

/** Opens a stored destination, with its secrets and defaults. @throws ExportError when the destination is incomplete. */
export async function openDestination(
  { secrets: box }: Pick<Services, 'secrets' | 'store'>,
  row: DestinationColumns,
): Promise<OpenDestination> {
  const secrets: unknown = row.destination_secrets ? JSON.parse(box.open(row.destination_secrets)) : {}
  const config = { ...row.destination_config, ...Object(secrets) }
  try {
    return destinationDrivers[row.destination_type].open(config)
  } catch (cause) {
    // The zod error is not shown because it would quote values, including secrets.
    const problem = 'The destination is incomplete: open the export and save its destination again.'
    throw new ExportError(problem, true, { cause })
  }
}
