import { formatInstant } from '../../../contract/instant.ts'
import { windowAt } from '../../../contract/interval.ts'
import { previewRows } from '../../exporter/preview-rows.ts'
import { storeQuery } from '../../exporter/query-input.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { DestinationType } from '../../../contract/destinations/destination.ts'
import { openDestination } from '../../destinations/destination-drivers.ts'
import { previewTable } from '../../exporter/tables/preview-table.ts'
import { assertColumnsFit } from './assert-columns-fit.ts'
import { projectOf } from '../../auth/access.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { generatedSecret, withSecret } from './generated-secret.ts'
import { storeDestination } from './destination-input.ts'
import type { DestinationTest } from '../../../contract/destinations/destination-test.ts'
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
  const { services } = request
  const destination = await triedDestination(request)
  const found = await tryDestination(services, destination)
  await noteTest(services, destination.integration_id, found)
  return found
}

/** Compares an export's columns with its table, as both would be stored, without storing or writing anything. */
export const planTable: Handler<'planTable'> = async (request) => {
  const { services, body } = request
  const row = await triedDestination(request)
  const model = body.model ?? 'events'
  const query = await storeQuery(services, body.hogql_query ?? '', model)
  const source = { ...row, ...query, model }
  assertColumnsFit(source)
  const destination = await openDestination(services, row)
  if (destination.holds !== 'table')
    throw invalidInput('Only a destination that is a table has a plan.', ['destination', 'type'])
  return await previewTable(services, destination, source)
}

/** Returns a destination as it would be stored, and its project. */
async function triedDestination({
  services,
  projects,
  body,
}: Pick<ApiRequest<'testConnection'>, 'services' | 'projects' | 'body'>) {
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
  // Stands for the secret that is generated when the export is created.
  const given = withSecret(body.destination, stored ? null : generatedSecret(body.destination))
  const destination = await storeDestination(services, given, { projectId: project_id, stored })
  return { ...destination, project_id }
}

/** Notes for a connection how a test with it ended. */
export async function noteTest(
  { store, clock }: Services,
  id: number | null,
  { steps }: DestinationTest,
): Promise<void> {
  if (id === null) return
  const failed = steps.find(({ status }) => status === 'failed')
  const error = failed ? `${failed.name}: ${failed.detail}` : null
  await noteUse(store, id, { at: new Date(clock.now()), error })
}
