import type { OrganizationBatchExportCreate } from '../../../contract/exports/batch-export.ts'
import type { z } from 'zod'
import { beginSchedule, scheduleOf } from '../../../contract/exports/schedule.ts'
import { accessProject, projectOf } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import { ApiError, unknownId } from '../../problems/api-error.ts'
import { logExport } from '../../runs/export-log.ts'
import { insertBatchExport, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import { insertChange } from '../../store/runs/changes-list.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { arrivalTime } from '../../store/runs/watermark.ts'
import { authorOf, byKey, type Actor } from '../by-key.ts'
import { changedFields } from './changed-fields.ts'
import { holdConnection } from './chosen-connection.ts'
import { storeDestination } from './destination-input.ts'
import { generatedSecret, withSecret } from './generated-secret.ts'
import { labelColumns } from './export-labels.ts'
import type { ApiRequest } from '../handler.ts'
import { describePause, pauseColumns } from './pause-columns.ts'
import { assertOrder, readInstant } from '../given-times.ts'
import { assertColumnsFit } from './assert-columns-fit.ts'
import { assertOwnFiles } from './assert-own-files.ts'
import { namedExport } from './named-export.ts'
import { showBatchExport } from './show-batch-export.ts'
import { slowChecks, type SlowChecks } from './slow-checks.ts'

type Request = Pick<ApiRequest<'createBatchExport'>, 'services' | 'projects'> & {
  caller: Caller & Actor
  body: z.output<typeof OrganizationBatchExportCreate>
  checks?: SlowChecks
}

export async function createBatchExport(request: Request) {
  const generated = generatedSecret(request.body.destination)
  const body = { ...request.body, destination: withSecret(request.body.destination, generated) }
  const row = await createExport({ ...request, body }, await arrivalTime(request.services))
  return { ...(await showBatchExport(request, row)), ...generated }
}

/**
 * Creates an export. Its schedule starts with the window that contains `now` (an arrival time in milliseconds), or at a
 * later `start_at`.
 */
export async function createExport(request: Request, now: number): Promise<BatchExportRow> {
  const { services, caller, body, checks = slowChecks(services) } = request
  const project = await projectFor(request)
  const model = body.model ?? 'events'
  const bounds = { start_at: readInstant(body.start_at ?? null), end_at: readInstant(body.end_at ?? null) }
  assertOrder(bounds)
  const original =
    body.cloned_from === undefined
      ? null
      : await namedExport(services, request.projects, body.cloned_from, ['cloned_from'])
  const given = { ...body.destination, isWhole: true }
  const destination = await storeDestination(services, given, {
    projectId: project.id,
    stored: original,
    isNew: true,
    checks,
  })
  const query = await checks.query(body.hogql_query ?? '', model)
  const paused = body.paused ?? false
  assertColumnsFit({ ...destination, ...query, model })
  return inTransaction(services.store, async (transaction) => {
    await holdConnection(transaction, destination.integration_id)
    const row = await insertBatchExport(transaction, {
      id: newId(now),
      project_id: project.id,
      name: body.name,
      model,
      interval: body.interval,
      paused,
      ...bounds,
      ...destination,
      ...query,
      ...labelColumns(body),
      created_at: new Date(now),
      last_updated_at: new Date(now),
      ...pauseColumns(null, body, now),
      last_paused_at: readInstant(body.last_paused_at ?? null) ?? (paused ? new Date(now) : null),
      scheduled_until: new Date(beginSchedule(scheduleOf({ interval: body.interval, ...bounds }), now)),
    })
    await assertOwnFiles({ services, reader: caller }, transaction, row)
    await insertChange(transaction, {
      batchExportId: row.id,
      kind: original ? 'cloned' : 'created',
      ...authorOf(caller),
      at: new Date(now),
      fields: changedFields(services, null, row),
    })
    const message = `Created ${byKey(caller)}${paused ? `, paused${describePause(row)}` : ''}.`
    await logExport(transaction, row.id, message, new Date(now))
    return row
  })
}

/** Returns the path's project or, in the organization scope, the one that `team_id` names, by default the first. */
async function projectFor({ services, caller, projects, body }: Request): Promise<Project> {
  if (body.team_id === undefined) return projectOf(projects)
  try {
    return await accessProject(services, caller, String(body.team_id))
  } catch (error) {
    if (!(error instanceof ApiError) || error.details.status !== 404) throw error
    throw unknownId(String(body.team_id), ['team_id'])
  }
}
