import { integrationKinds } from '../../contract/integrations/integration-kinds.ts'
import type { DestinationType } from '../../contract/destinations/destination.ts'
import type { Services } from '../services.ts'
import type { DestinationColumns } from '../store/runs/batch-exports.ts'
import type { IntegrationRow } from '../store/runs/integrations.ts'
import { placedConfig } from '../store/runs/placed-config.ts'
import { findRow } from '../store/schema/rows.ts'
import { ExportError } from '../problems/export-error.ts'
import type { DestinationDriver, OpenDestination } from './destination-driver.ts'
import { azureDriver } from './azure/azure-driver.ts'
import { clickhouseDriver } from './clickhouse/clickhouse-driver.ts'
import { fileDriver } from './folder/file-driver.ts'
import { mysqlDriver } from './mysql/mysql-driver.ts'
import { postgresDriver } from './postgres/postgres-driver.ts'
import { s3Driver } from './s3/s3-driver.ts'
import { sftpDriver } from './sftp/sftp-driver.ts'
import { webhookDriver } from './webhook/webhook-driver.ts'

export const destinationDrivers: Record<DestinationType, DestinationDriver> = {
  S3: s3Driver,
  AwsS3: s3Driver,
  S3Compatible: s3Driver,
  AzureBlob: azureDriver,
  SFTP: sftpDriver,
  File: fileDriver,
  Postgres: postgresDriver,
  MySQL: mysqlDriver,
  ClickHouse: clickhouseDriver,
  Webhook: webhookDriver,
}

/** A destination as stored; a `connection` given here is used instead of the stored one. */
export type OpenableDestination = DestinationColumns & { connection?: IntegrationRow }

/**
 * Opens a stored destination, with its secrets, those of its connection, and defaults.
 * @throws ExportError when it is incomplete, or when its connection sends secrets to another address than the row names.
 */
export async function openDestination(
  services: Pick<Services, 'secrets' | 'store'>,
  row: OpenableDestination,
): Promise<OpenDestination> {
  const { secrets: box } = services
  const place = placedConfig(row)
  const inline: unknown = row.destination_secrets ? JSON.parse(box.open(row.destination_secrets)) : {}
  const connected: unknown = await connectionSecrets(services, row, place)
  const config = { ...place, ...Object(inline), ...Object(connected) }
  try {
    return destinationDrivers[row.destination_type].open(config)
  } catch (cause) {
    // The zod error is not shown because it would quote values, including secrets.
    const problem = 'The destination is incomplete: open the export and save its destination again.'
    throw new ExportError(problem, true, { cause })
  }
}

async function connectionSecrets(
  { store, secrets: box }: Pick<Services, 'secrets' | 'store'>,
  { integration_id: id, connection: given }: OpenableDestination,
  place: Record<string, unknown>,
): Promise<unknown> {
  if (id === null) return {}
  const connection = given ?? (await findRow(store, 'integrations', { id }))
  if (!connection) throw new ExportError('The connection was deleted: choose another one.', true)
  const secrets: Record<string, unknown> = JSON.parse(box.open(connection.secrets))
  const { addressOf } = integrationKinds[connection.kind]
  // The row may have been read before a rotation, or may name the place of an earlier run.
  if (addressOf({ ...place, ...secrets }) !== connection.address)
    throw new ExportError('The connection was rotated to another address meanwhile.', false)
  // How the server is verified counts as it is now, like the secrets that are sent to it.
  const { name: _, ...config } = connection.config
  return { ...config, ...secrets }
}
