import {
  completeDefinition,
  type AppliedExports,
  type ExportDefinition,
  type PlannedChange,
} from '../../../contract/exports/export-definition.ts'
import type { Issue } from '../../../contract/problem.ts'
import { projectOf } from '../../auth/access.ts'
import { ApiError, conflict, invalidInput } from '../../problems/api-error.ts'
import { exportsByName, updateBatchExport, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import { inTransaction, type Store, type StoreTransaction } from '../../store/schema/database.ts'
import { saveDefinition } from '../../store/runs/export-definitions.ts'
import { withSavepoint } from '../../store/schema/savepoint.ts'
import { arrivalTime } from '../../store/runs/watermark.ts'
import type { ApiRequest } from '../handler.ts'
import { changedFields } from '../exports/changed-fields.ts'
import { createExport } from '../exports/create-batch-export.ts'
import { deleteExport } from '../exports/delete-batch-export.ts'
import { appliedSettings } from '../exports/drift.ts'
import { slowChecks, type SlowChecks } from '../exports/slow-checks.ts'
import { writeChange } from '../exports/update-batch-export.ts'

type Request = Pick<ApiRequest<'applyBatchExports'>, 'services' | 'caller' | 'projects' | 'body'>

/** The services with the transaction in which everything is applied, and the time that all changes get (milliseconds). */
type Work = {
  request: Request
  services: Request['services'] & { store: StoreTransaction }
  checks: SlowChecks
  now: number
  dryRun: boolean
}

/** Time (ms) in which the definitions of a request must be checked. */
const checkMsMax = 30_000

/** Projects to which definitions are being applied, of each installation. */
const applying = new WeakMap<Store, Set<number>>()

/**
 * Makes the batch exports of a project as defined, matched by name. A dry run does the same and rolls back, so that it
 * finds every error; it also precedes each application, which therefore stops no run for a file with an error.
 */
export async function applyBatchExports(request: Request): Promise<AppliedExports> {
  const { services, projects, body } = request
  const project = projectOf(projects)
  const busy = applying.get(services.store) ?? new Set<number>()
  applying.set(services.store, busy)
  if (busy.has(project.id))
    throw conflict('Other definitions are being applied to this project: try again when that has finished.')
  busy.add(project.id)
  try {
    const checks = await checkDefinitions(request)
    const plan = await perform(request, checks, true)
    return body.dry_run ? plan : await perform(request, checks, false)
  } finally {
    busy.delete(project.id)
  }
}

/** Makes the checks that take long; their errors are thrown where each definition is applied. */
async function checkDefinitions({ services, body }: Request): Promise<SlowChecks> {
  const checks = slowChecks(services)
  const until = performance.now() + checkMsMax
  for (const { destination, hogql_query, model } of body.exports.map(completeDefinition)) {
    const endpoint = destination.config?.['endpoint_url']
    if (typeof endpoint === 'string') await checks.endpoint(endpoint)
    await checks.query(hogql_query ?? '', model ?? 'events').catch(() => null)
    if (performance.now() > until)
      throw invalidInput(
        `Checking these definitions takes more than ${checkMsMax / 1000} s: apply fewer at once, or simpler queries.`,
        ['exports'],
      )
  }
  return checks
}

async function perform(request: Request, checks: SlowChecks, dryRun: boolean): Promise<AppliedExports> {
  const { services } = request
  // Taken before the transaction: the time's row would keep captured events waiting until its end.
  const now = await arrivalTime(services)
  try {
    const changes = await inTransaction(services.store, (transaction) => {
      const work = { request, services: { ...services, store: transaction }, checks, now, dryRun }
      return withSavepoint(
        transaction,
        () => applyAll(work),
        () => !dryRun,
      )
    })
    return { applied: !dryRun, changes }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === deadlock)
      throw conflict('Nothing was applied, because the batch exports were being changed: try again.')
    throw error
  }
}

const deadlock = '40P01'

async function applyAll(work: Work): Promise<PlannedChange[]> {
  const { request, services } = work
  const { body, projects } = request
  const project = projectOf(projects)
  const rows = Map.groupBy(await exportsByName(services.store, project.id), ({ name }) => name)
  const named = new Set(body.exports.map(({ name }) => name))
  const unnamed = [...rows.values()].flat().filter(({ name }) => !named.has(name))
  // Deletions come first, so that a new export can take over the files of a deleted one.
  if (body.prune) for (const row of unnamed) await remove(work, row)

  const changes: PlannedChange[] = []
  const issues: Issue[] = []
  const errors: ApiError[] = []
  for (const [index, definition] of body.exports.entries()) {
    try {
      const isFirst = body.exports.findIndex(({ name }) => name === definition.name) === index
      if (!isFirst)
        throw invalidInput('Another definition has this name, and names must be unique.', ['name'])
      const [row, ...others] = rows.get(definition.name) ?? []
      if (others.length > 0)
        throw invalidInput(`${others.length + 1} batch exports have this name: rename all but one.`, ['name'])
      changes.push(await applyOne(work, definition, row))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errors.push(error)
      const { issues: own = [], detail } = error.details
      const listed = own.length > 0 ? own : [{ path: [], message: detail }]
      issues.push(...listed.map(({ path, message }) => ({ path: ['exports', index, ...path], message })))
    }
  }
  const [first] = errors
  if (first) throw new ApiError({ ...first.details, attr: issues[0]?.path.join('__') ?? null, issues })
  const action: PlannedChange['action'] = body.prune ? 'delete' : 'unlisted'
  return [...changes, ...unnamed.map(({ id, name }) => ({ name, batch_export: id, action, fields: [] }))]
}

async function applyOne(
  work: Work,
  definition: ExportDefinition,
  row: BatchExportRow | undefined,
): Promise<PlannedChange> {
  const { request, services, checks, now, dryRun } = work
  const { name } = definition
  const caller = actorOf(request)
  const inside = { ...request, services, caller, checks }
  if (!row) {
    const create = () => createExport({ ...inside, body: definition }, now)
    const created = await withSavepoint(services.store, create)
    await remember(work, definition, created)
    const fields = changedFields(services, null, created)
    return { name, batch_export: dryRun ? null : created.id, action: 'create', fields }
  }
  const whole = completeDefinition(definition)
  const body = { ...whole, destination: { ...whole.destination, isWhole: true } }
  const change = (given: Partial<typeof body>) =>
    writeChange({ ...inside, batchExport: row }, given, request.caller, now)
  const compare = async () => {
    const changed = await change(body)
    return { changed, fields: changedFields(services, row, changed) }
  }
  // A plan keeps changes, so that later definitions are checked against them. Otherwise only the settings that differ are
  // written, so that the log names no others.
  const { fields } = await withSavepoint(services.store, compare, ({ fields }) => dryRun && fields.length > 0)
  const names = new Set(fields.map(({ field }) => field.split('.')[0]))
  const given = Object.fromEntries(Object.entries(body).filter(([key]) => names.has(key)))
  const changed = fields.length > 0 && !dryRun ? await change(given) : row
  await remember(work, definition, changed)
  return { name, batch_export: row.id, action: fields.length > 0 ? 'update' : 'unchanged', fields }
}

async function remember(
  { request, services, now, dryRun }: Work,
  { paused }: ExportDefinition,
  row: BatchExportRow,
) {
  if (dryRun) return
  await saveDefinition(services.store, {
    ...appliedSettings(services, row, paused !== undefined),
    batch_export_id: row.id,
    actor: request.caller.name,
    source: request.body.source ?? null,
    applied_at: new Date(now),
  })
}

/** A dry run only frees the names of the files: it must not stop runs. */
async function remove({ request, services, now, dryRun }: Work, row: BatchExportRow): Promise<void> {
  if (dryRun) await updateBatchExport(services.store, row, { deleted_at: new Date(now) })
  else await deleteExport({ services, caller: actorOf(request), batchExport: row })
}

function actorOf({ caller, body }: Request) {
  return { ...caller, source: body.source }
}
