import type { Services } from '../services.ts'
import type { LedgerRow } from '../store/windows/ledger.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { pinEndpoint } from './destination-check.ts'
import type { FileDestination, OpenDestination } from './destination-driver.ts'
import { openDestination } from './destination-drivers.ts'
import { canHoldSame } from '../store/runs/export-names.ts'
import { placedConfig } from '../store/runs/placed-config.ts'
import type { ObjectReader } from './file-store.ts'
import { ExportError } from '../problems/export-error.ts'

/**
 * Opens the destination to which a recorded run wrote, with the export's current credentials.
 * @throws ExportError if the export has another destination now: its credentials are not for the earlier one.
 */
export async function openRecorded(
  services: Pick<Services, 'config' | 'store' | 'secrets' | 'hosts' | 'exportsFolder'>,
  row: BatchExportRow,
  { settings }: Pick<LedgerRow, 'settings'>,
): Promise<OpenDestination> {
  const current = await openDestination(services, row)
  if (!canHoldSame(row.destination_type, settings.destination_type)) throw otherDestination()
  // An export can change to another type of the same store: the recorded place counts, with the secrets of today.
  const place = { destination_config: placedConfig(settings), integration_config: null }
  const { destination_type } = row
  const destination = await openDestination(services, {
    ...row,
    ...settings,
    ...place,
    destination_type,
  }).catch((error: unknown) => {
    throw error instanceof ExportError ? otherDestination() : error
  })
  if (destination.url() !== current.url()) throw otherDestination()
  return destination
}

/** Opens a reader of a destination's objects, whose host is pinned until it is closed. */
export async function openReader(
  services: Pick<Services, 'config' | 'hosts' | 'exportsFolder'>,
  destination: FileDestination,
  projectId: number,
): Promise<ObjectReader> {
  const release = await pinEndpoint(services, destination.url())
  const reader = await destination.openReader(services, projectId)
  return {
    ...reader,
    close() {
      reader.close()
      release()
    },
  }
}

function otherDestination(): ExportError {
  return new ExportError(
    'The export has another destination now, whose credentials are not for the earlier one: check the earlier files yourself, or export the window again.',
    true,
  )
}
