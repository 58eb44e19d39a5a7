import { BatchExportUpdate } from '../../../contract/exports/batch-export.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { DestinationType } from '../../../contract/destinations/destination.ts'
import { noneOf } from '../../../contract/exports/export-definition.ts'
import { parseInput } from '../../http/parse-input.ts'
import { undoDeletion } from '../../runs/restore-export.ts'
import { conflict, notFound } from '../../problems/api-error.ts'
import { findBatchExport, lockBatchExport, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { FoundChange } from '../../store/runs/changes-list.ts'
import { inTransaction } from '../../store/schema/database.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { pauseInputs } from '../exports/pause-columns.ts'
import { revertProblem } from './revert-problem.ts'
import { showBatchExport } from '../exports/show-batch-export.ts'
import { slowChecks, type SlowChecks } from '../exports/slow-checks.ts'
import { checkChange, writeChange, type ExportChange } from '../exports/update-batch-export.ts'

type Request = ApiRequest<'revertBatchExportChange'>

/** Restores the values that a change replaced, as an edit of the export; secrets stay. */
export const revertBatchExportChange: Handler<'revertBatchExportChange'> = async (request) => {
  const { services, batchExportChange } = request
  const { change, batchExport } = batchExportChange
  const checks = slowChecks(services)
  if (change.kind !== 'deleted' && revertProblem(change, batchExport) === null)
    await checkChange(services, checks, batchExport, earlierSettings(change, batchExport))
  const row = await inTransaction(services.store, (transaction) => {
    const inside = { ...request, services: { ...services, store: transaction } }
    return change.kind === 'deleted' ? restore(inside) : revert(inside, checks)
  })
  return showBatchExport(request, row)
}

async function revert({ services, caller, batchExportChange }: Request, checks: SlowChecks) {
  const { change, batchExport } = batchExportChange
  const { store } = services
  const row = await inTransaction(store, (transaction) =>
    lockBatchExport(transaction, [batchExport.project_id], batchExport.id),
  )
  const problem = revertProblem(change, row ?? batchExport)
  if (problem !== null) throw conflict(problem)
  if (!row) throw notFound()
  const actor = { ...caller, reverts: change.id }
  return writeChange(
    { services, caller: actor, batchExport: row, checks },
    earlierSettings(change, row),
    caller,
  )
}

/** Returns the settings before a change, with a complete config of the destination. @throws ApiError 400. */
function earlierSettings(change: FoundChange['change'], row: BatchExportRow): ExportChange {
  const body = parseInput(BatchExportUpdate, earlierValues(change, row))
  const { destination } = body
  return { ...body, ...(destination && { destination: { ...destination, isWhole: true } }) }
}

function earlierValues({ fields }: FoundChange['change'], row: BatchExportRow) {
  const plain = fields.filter(({ secret }) => !secret)
  const ofDestination = plain.filter(({ field }) => field.startsWith('destination.'))
  const others = plain.filter((field) => !ofDestination.includes(field))
  const body = others.map(({ field, before }) => [pauseInputs[field] ?? field, before ?? noneOf(field)])
  if (ofDestination.length === 0) return Object.fromEntries(body)
  const type = ofDestination.find(({ field }) => field === 'destination.type')?.before
  const connection = ofDestination.find(({ field }) => field === 'destination.integration')?.before
  const config = new Map(Object.entries(type === undefined ? row.destination_config : {}))
  for (const { field, before } of ofDestination) {
    const name = field.replace('destination.config.', '')
    if (field === 'destination.integration') continue
    if (before === null) config.delete(name)
    else if (name !== field) config.set(name, before)
  }
  return {
    ...Object.fromEntries(body),
    destination: {
      type: type ?? row.destination_type,
      config: Object.fromEntries(config),
      ...(connection !== undefined && { integration: connectionNamed(connection, row, type) }),
    },
  }
}

/** Names the connection that an export had, by the kind that its destination's type uses. */
function connectionNamed(name: unknown, row: BatchExportRow, earlierType: unknown) {
  const type = DestinationType.catch(row.destination_type).parse(earlierType)
  const kind = destinationKinds[type].integration?.kind
  return name === null ? null : { kind, name }
}

/** Restores a deleted export, paused since its deletion, so that no window of the time between runs unasked. */
async function restore({ services, caller, batchExportChange }: Request): Promise<BatchExportRow> {
  const { change, batchExport } = batchExportChange
  const { id, project_id: projectId, paused } = batchExport
  const deletion = {
    projectId,
    id,
    deletedAt: change.created_at,
    actor: caller.name,
    reverts: change.id,
  }
  const isRestored = await inTransaction(services.store, (transaction) =>
    undoDeletion(services, transaction, deletion),
  )
  if (!isRestored) throw conflict('The batch export has been restored since.')
  const row = await findBatchExport(services.store, [projectId], id)
  if (!row) throw notFound()
  if (paused) return row
  const body = { paused: true, last_paused_at: formatInstant(change.created_at) }
  return writeChange({ services, caller, batchExport: row }, body)
}
