import type { Services } from '../services.ts'
import type { LedgerRow } from '../store/windows/ledger.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { pinEndpoint } from './destination-check.ts'
import type { OpenDestination } from './destination-driver.ts'
import { openDestination } from './destination-drivers.ts'
import type { ObjectReader } from './file-store.ts'
import { ExportError } from '../problems/export-error.ts'

/**
 * Opens the destination to which a recorded run wrote, with the export's current credentials.
 * @throws ExportError if the export has another destination now: its credentials are not for the earlier one.
 */
export async function openReader(
  services: Pick<Services, 'config' | 'secrets' | 'hosts' | 'exportsFolder'>,
  row: BatchExportRow,
  { settings }: Pick<LedgerRow, 'settings'>,
): Promise<ObjectReader & { destination: OpenDestination }> {
  const current = openDestination(row, services.secrets)
  if (row.destination_type !== settings.destination_type) throw otherDestination()
  const destination = openDestination({ ...row, ...settings }, services.secrets)
  if (destination.url() !== current.url()) throw otherDestination()
  const release = await pinEndpoint(services, destination.url())
  const reader = await destination.openReader(services, row.project_id)
  return {
    ...reader,
    destination,
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
