import { DestinationType } from '../../../contract/destinations/destination.ts'
import { projectOf } from '../../auth/access.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { storeDestination } from './destination-input.ts'
import { namedExport } from './named-export.ts'
import type { Handler } from '../handler.ts'

/** Tests a destination as it would be stored, without storing it. */
export const testConnection: Handler<'testConnection'> = async (request) => {
  const { services, projects, body } = request
  const stored = body.id === undefined ? null : await namedExport(services, projects, body.id, ['id'])
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
