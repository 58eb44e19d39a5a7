import { pageOfList } from '../../http/page-links.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import {
  deleteIntegration as deleteStored,
  findIntegration,
  insertIntegration,
  listIntegrations as listStored,
} from '../../store/runs/integrations.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { entryBy } from '../audit/audit-call.ts'
import type { Handler } from '../handler.ts'
import { sameName, storeIntegration } from './integration-input.ts'
import { showIntegration } from './show-integration.ts'

const integrationsMax = 500

export const listIntegrations: Handler<'listIntegrations'> = async (request) => {
  const { services, project, query } = request
  return pageOfList(
    await listStored(services.store, project.id, query.kind ?? null),
    request,
    showIntegration,
  )
}

export const createIntegration: Handler<'createIntegration'> = async (request) => {
  const { services, caller, project, body } = request
  const stored = await storeIntegration(services, body.kind, body.config)
  const row = {
    ...stored,
    project_id: project.id,
    kind: body.kind,
    created_by: caller.userId,
    created_at: new Date(services.clock.now()),
  }
  const made = await inTransaction(services.store, async (transaction) => {
    const inserted = await insertIntegration(transaction, row, integrationsMax)
    if (typeof inserted === 'object')
      await audit(transaction, {
        ...entryBy(request, 'connection.created', inserted),
        after: { kind: inserted.kind, address: inserted.address },
      })
    return inserted
  })
  if (made === 'too many')
    throw conflict(`The project has ${integrationsMax} connections: delete one that no export uses first.`)
  if (made === 'same name') throw sameName(row.name)
  const found = await findIntegration(services.store, [project.id], made.id)
  if (!found) throw notFound()
  return showIntegration(found)
}

export const getIntegration: Handler<'getIntegration'> = async ({ integration }) =>
  showIntegration(integration)

export const deleteIntegration: Handler<'deleteIntegration'> = async ({ services, integration }) => {
  const users = await deleteStored(services.store, integration.id)
  if (users.length > 0)
    throw invalidInput(
      `This integration is used by batch exports: ${users.join(', ')}. Update them to use a different integration before disconnecting it.`,
    )
  return null
}
