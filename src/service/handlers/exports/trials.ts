import { formatInstant } from '../../../contract/instant.ts'
import { windowAt } from '../../../contract/interval.ts'
import { previewRows } from '../../exporter/preview-rows.ts'
import { storeQuery } from '../../exporter/query-input.ts'
import type { Handler } from '../handler.ts'
import { DestinationType } from '../../../contract/destinations/destination.ts'
import { projectOf } from '../../auth/access.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { storeDestination } from './destination-input.ts'
import type { ConnectionTest } from '../../../contract/destinations/connection-test.ts'
import type { Services } from '../../services.ts'
import { noteUse } from '../../store/runs/integrations.ts'
import { namedExport } from './named-export.ts'

/** Previews what an export of this model and query would write: columns, sample rows, and the last interval's row count. */
export const previewBatchExport: Handler<'previewBatchExport'> = async ({ services, project, body }) => {
  const { model, interval, include_events, exclude_events } = body
  const { hogql_query } = await storeQuery(services, body.hogql_query ?? '', model)
  const destination_config = { include_events, exclude_events }
  const source = { project_id: project.id, model, hogql_query, destination_config }
  const current = windowAt(interval, services.clock.now())
  const last = windowAt(interval, current.start - 1)
  return {
    ...(await previewRows(services, source, last)),
    interval_start: formatInstant(last.start),
    interval_end: formatInstant(last.end),
  }
}

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
  const project_id = stored?.project_id ?? projectOf(projects).id
  const target = { projectId: project_id, stored }
  const destination = await storeDestination(services, body.destination, target)
  const found = await tryDestination(services, { ...destination, project_id })
  await noteTest(services, destination.integration_id, found)
  return found
}

/** Notes for a connection how a test with it ended. */
export async function noteTest(
  { store, clock }: Services,
  id: number | null,
  { steps }: ConnectionTest,
): Promise<void> {
  if (id === null) return
  const failed = steps.find(({ status }) => status === 'failed')
  const error = failed ? `${failed.name}: ${failed.detail}` : null
  await noteUse(store, id, { at: new Date(clock.now()), error })
}
