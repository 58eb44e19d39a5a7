import { untilAborted } from '../engines/until-aborted.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow, DestinationColumns } from '../store/runs/batch-exports.ts'
import { pinEndpoint } from './destination-check.ts'
import type { Io, OpenDestination } from './destination-driver.ts'
import { openDestination } from './destination-drivers.ts'
import { addressOf, reach } from './reach-steps.ts'
import { ExportError } from '../problems/export-error.ts'

const timeLimitMs = 10_000

/** The probe asks for this object, which need not exist; an attachment, so that only its head is requested. */
const probed = { key: 'spool-probe', bytes: 0, checksum: '', holds: 'attachment' } as const

/**
 * Checks that a destination responds. A refusal counts as a response, since the export explains it better. Resolves to
 * the error if the destination cannot be reached, else to null.
 */
export async function probeDestination(
  services: Pick<Services, 'config' | 'store' | 'secrets' | 'hosts' | 'exportsFolder'>,
  row: DestinationColumns & Pick<BatchExportRow, 'project_id'>,
  signal: AbortSignal,
): Promise<Error | null> {
  // The export explains why a destination cannot be opened; a folder needs no probe.
  const destination = await openDestination(services, row).catch(() => null)
  const endpoint = destination?.explained.endpoint
  if (!destination || !endpoint) return null
  const timeout = AbortSignal.timeout(timeLimitMs)
  let release = () => {}
  try {
    release = await pinEndpoint(services, destination.url())
    const limit = AbortSignal.any([signal, timeout])
    await untilAborted(probe(services, destination, row.project_id, limit), limit)
    return null
  } catch (error) {
    if (destination.isRefusal(error) || error instanceof ExportError) return null
    if (timeout.aborted)
      return new ExportError(
        `${endpoint} did not respond within ${timeLimitMs / 1000} seconds: check the destination's endpoint, that the store works, and that the network to it is not blocked.`,
        false,
      )
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    release()
  }
}

async function probe(io: Io, destination: OpenDestination, projectId: number, signal: AbortSignal) {
  if (destination.holds === 'table') return await (await destination.openTable(io, signal)).close()
  if (destination.holds === 'requests') {
    const { host, port } = addressOf(destination.url() ?? '')
    return await reach(io, host, port, signal)
  }
  const reader = await destination.openReader(io, projectId)
  await reader.find(probed, signal).finally(() => reader.close())
}
