import type { Services } from '../services.ts'
import type { DestinationColumns } from '../store/runs/batch-exports.ts'
import { pinEndpoint } from './destination-check.ts'
import { openDestination } from './destination-config.ts'
import { ExportError } from '../problems/export-error.ts'
import { endpointUrl, objectUrl } from './s3/s3-location.ts'
import { connect, refusalOf } from './s3/bucket-objects.ts'

const timeLimitMs = 10_000

/**
 * Checks that a destination responds. A refusal counts as a response, since the export explains it better. Resolves to
 * the error if the destination cannot be reached, else to null.
 */
export async function probeDestination(
  services: Pick<Services, 'config' | 'secrets' | 'hosts'>,
  row: DestinationColumns,
  signal: AbortSignal,
): Promise<Error | null> {
  const config = s3Config(services, row)
  if (config === null) return null
  const client = await connect(config, services.hosts.lookup)
  const timeout = AbortSignal.timeout(timeLimitMs)
  let release = () => {}
  try {
    release = await pinEndpoint(services, objectUrl(config, ''))
    const abortSignal = AbortSignal.any([signal, timeout])
    await client.headObject({ Bucket: config.bucket_name, Key: 'spool-probe' }, { abortSignal })
    return null
  } catch (error) {
    if (refusalOf(error) !== undefined || error instanceof ExportError) return null
    if (timeout.aborted)
      return new ExportError(
        `${endpointUrl(config)} did not respond within ${timeLimitMs / 1000} seconds: check the destination's endpoint, that the store works, and that the network to it is not blocked.`,
        false,
      )
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    client.destroy()
    release()
  }
}

/** Returns the bucket's settings; null for a folder, and for an incomplete destination, whose error the export explains. */
function s3Config({ secrets }: Pick<Services, 'secrets'>, row: DestinationColumns) {
  if (row.destination_type === 'File') return null
  try {
    const destination = openDestination(row, secrets)
    if (destination.type === 'File') return null
    endpointUrl(destination.config)
    return destination.config
  } catch {
    return null
  }
}
