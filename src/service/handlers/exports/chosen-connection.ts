import { sql } from 'kysely'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { DestinationInput, DestinationType } from '../../../contract/destinations/destination.ts'
import { invalidInput, unknownId } from '../../problems/api-error.ts'
import type { DestinationColumns } from '../../store/runs/batch-exports.ts'
import type { IntegrationRow } from '../../store/runs/integrations.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { findRow } from '../../store/schema/rows.ts'
import type { SlowChecks } from './slow-checks.ts'

/** Keeps a connection until the transaction ends. @throws ApiError 400 if it was deleted since it was chosen. */
export async function holdConnection(transaction: StoreTransaction, id: number | null): Promise<void> {
  if (id === null || (await findRow(transaction, 'integrations', { id }, sql`FOR KEY SHARE`))) return
  throw unknownId(String(id), ['destination', 'integration_id'])
}

type Given = { [Field in 'integration_id' | 'integration']?: DestinationInput[Field] | undefined }

/**
 * Returns the connection that a request chooses for a destination of this type, else the one that it `kept`; null if it has none.
 * @throws ApiError 400 if the project has no such connection, or the type uses none of its kind.
 */
export async function chosenConnection(
  checks: SlowChecks,
  type: DestinationType,
  { integration_id, integration }: Given,
  { projectId, kept }: { projectId: number; kept: DestinationColumns | null },
): Promise<IntegrationRow | null> {
  const field = integration_id === undefined && integration !== undefined ? 'integration' : 'integration_id'
  const path = ['destination', field]
  const refusal = (message: string) => invalidInput(message, path, { attr: 'destination__integration_id' })
  const wanted = integration_id === undefined ? integration : integration_id
  if (wanted === undefined) {
    // The connection of an original in another project cannot be used in this one.
    const id = kept?.integration_id ?? null
    return id === null ? null : await checks.connection(projectId, id)
  }
  if (wanted === null) return null
  const { integration: used } = destinationKinds[type]
  if (!used) throw refusal(`${type} batch exports do not use an integration.`)
  const found = await checks.connection(projectId, wanted)
  if (!found && typeof wanted === 'number') throw unknownId(String(wanted), path)
  if (!found) throw refusal('The project has no connection with this kind and name.')
  if (found.kind !== used.kind)
    throw refusal(
      `${type} batch exports use an integration of the kind '${used.kind}' (got kind='${found.kind}').`,
    )
  return found
}
