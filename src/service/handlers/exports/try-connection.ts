import { DestinationType } from '../../../contract/destinations/destination.ts'
import { projectOf } from '../../auth/access.ts'
import { isUuid } from '../../auth/uuid.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { invalidInput, unknownId } from '../../problems/api-error.ts'
import { findBatchExport, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import { storeDestination } from './destination-input.ts'
import type { ApiRequest, Handler } from '../handler.ts'

/** Tests a destination as it would be stored, without storing it. */
export const testConnection: Handler<'testConnection'> = async (request) => {
  const { services, projects, body } = request
  const stored = await storedExport(request)
  if (
    stored &&
    DestinationType.safeParse(body.destination.type).success &&
    stored.destination_type !== body.destination.type
  )
    throw invalidInput(
      `The batch export's destination has the type ${stored.destination_type}. To test another type, omit 'id'.`,
      ['destination', 'type'],
    )
  const destination = await storeDestination(services, body.destination, stored)
  const project_id = stored?.project_id ?? projectOf(projects).id
  return tryDestination(services, { ...destination, project_id })
}

async function storedExport({
  services,
  projects,
  body,
}: Pick<ApiRequest<'testConnection'>, 'services' | 'projects' | 'body'>): Promise<BatchExportRow | null> {
  const { id } = body
  if (id === undefined) return null
  const projectIds = projects.map((project) => project.id)
  const row = isUuid(id) ? await findBatchExport(services.store, projectIds, id) : undefined
  if (row) return row
  throw unknownId(id, ['id'])
}
