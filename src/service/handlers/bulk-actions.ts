import {
  bulkActionCan,
  bulkActions,
  bulkItemsMax,
  scopeOfAction,
  shownFailuresMax,
  undoMs,
  BulkAction,
  type runActions,
} from '../../contract/bulk-action.ts'
import type { BulkActionInput } from '../../contract/bulk-action-input.ts'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import { Scope } from '../../contract/accounts/scope-schema.ts'
import { visitorName } from '../../contract/recordings/visitor-name.ts'
import { assertScope } from '../auth/access.ts'
import { conflict, invalidInput, unknownId } from '../problems/api-error.ts'
import { conditionsOf } from '../recordings/filter/filter-page.ts'
import { withPatterns } from '../recordings/filter/filter-patterns.ts'
import type { Services } from '../services.ts'
import { findBatchExport } from '../store/runs/batch-exports.ts'
import {
  cancelBulkAction as cancelAction,
  failuresOf,
  pageOfBulkActions,
  startUndo,
  type BulkActionRow,
} from '../store/runs/bulk-actions.ts'
import {
  exportsBy,
  exportsById,
  failedRuns,
  insertBulkAction,
  recordingsBy,
  recordingsBySession,
  runsBy,
  runsById,
  type ItemSource,
} from '../store/runs/bulk-items.ts'
import { newId } from '../store/schema/identifier.ts'
import { readCursor, showCursorPage } from './cursor-page.ts'
import { failurePeriodOf } from './runs/failure-causes.ts'
import { readInstant } from './given-times.ts'
import type { Handler } from './handler.ts'
import { shownAs } from './shown-as.ts'

export const listBulkActions: Handler<'listBulkActions'> = async (request) => {
  const { services, caller, project, query, link } = request
  const readable = bulkActions.filter((action) => allowsScope(caller.scopes, readScope(action)))
  const position = readCursor(query.cursor)
  const page = await pageOfBulkActions(services.store, project.id, readable, position)
  return showCursorPage(page, link, showBulkAction)
}

/** Stores an action with the objects that match now; the background work performs it. */
export const createBulkAction: Handler<'createBulkAction'> = async (request) => {
  const { services, caller, project, body } = request
  assertScope(caller, scopeOfAction(body.action))
  if ((body.ids === undefined) === (body.filter === undefined))
    throw invalidInput('Send either ids or a filter.', ['ids'])
  const now = services.clock.now()
  const { action, ids: _ids, filter: _filter, ...options } = body
  const row = {
    id: newId(now),
    project_id: project.id,
    action,
    options: JSON.stringify(options),
    actor: caller.name,
    by_person: caller.isPerson,
    user_id: caller.userId,
    created_at: new Date(now),
    finished_at: null,
    undo_until: null,
  }
  const source = await sourceOf(services, project.id, body)
  const created = await withPatterns(() => insertBulkAction(services.store, row, source))
  if (created) return showBulkAction(created)
  const most = bulkItemsMax.toLocaleString('en')
  throw invalidInput(`This matches more than ${most} objects: narrow the filter.`, ['filter'])
}

export const getBulkAction: Handler<'getBulkAction'> = async ({ services, caller, bulkAction }) => {
  assertScope(caller, readScope(bulkAction.action))
  const failures = await failuresOf(services.store, bulkAction.id, shownFailuresMax)
  return {
    ...showBulkAction(bulkAction),
    failures: failures.map(({ object_id: id, name, visitor, reason }) => ({
      id,
      name: visitor === null ? name : visitorName(null, visitor),
      reason: reason ?? '',
    })),
  }
}

export const cancelBulkAction: Handler<'cancelBulkAction'> = async ({ services, caller, bulkAction }) => {
  assertScope(caller, scopeOfAction(bulkAction.action))
  const now = services.clock.now()
  const times = { finished_at: new Date(now), undo_until: new Date(now + undoMs) }
  const row = await cancelAction(services.store, bulkAction.id, times)
  if (row) return showBulkAction(row)
  throw conflict(bulkActionCan.cancel(bulkAction) ?? 'This bulk action has just ended.')
}

export const undoBulkAction: Handler<'undoBulkAction'> = async ({ services, caller, bulkAction }) => {
  assertScope(caller, scopeOfAction(bulkAction.action))
  const now = services.clock.now()
  const row = await startUndo(services.store, bulkAction.id, new Date(now))
  if (row) return showBulkAction(row)
  throw conflict(bulkActionCan.undo(showBulkAction(bulkAction), now) ?? 'This bulk action changed nothing.')
}

function readScope(action: BulkAction['action']) {
  return Scope.parse(scopeOfAction(action).replace(':write', ':read'))
}

async function sourceOf(services: Services, projectId: number, body: BulkActionInput): Promise<ItemSource> {
  switch (body.action) {
    case 'pause_batch_exports':
      if (body.ids) return exportsById(projectId, body.ids)
      return exportsBy(projectId, readPauseFilter(services, projectId, body.filter ?? {}))
    case 'unpause_batch_exports':
    case 'delete_batch_exports':
      return body.ids ? exportsById(projectId, body.ids) : exportsBy(projectId, body.filter ?? {})
    case 'export_windows':
      if (body.windows !== undefined) return exportsOf(projectId, body)
      return await runsOf(services, projectId, body)
    case 'cancel_runs':
      return await runsOf(services, projectId, body)
    case 'delete_recordings':
    case 'keep_recordings':
    case 'mark_recordings_viewed':
    case 'mark_recordings_unviewed':
      if (body.ids) return recordingsBySession(projectId, body.ids)
      return recordingsBy(projectId, await conditionsOf(services, projectId, body.filter ?? {}, bulkItemsMax))
  }
}

type PauseFilter = NonNullable<Extract<BulkActionInput, { action: 'pause_batch_exports' }>['filter']>

function readPauseFilter(services: Services, projectId: number, filter: PauseFilter) {
  const { paused, cause, after, before } = filter
  if (cause !== undefined) {
    const period = { projectId, ...failurePeriodOf(services, { start: after, end: before }) }
    return { paused, failed: { period, cause } }
  }
  if (after !== undefined || before !== undefined)
    throw invalidInput("'after' and 'before' can be combined only with 'cause'.", ['filter', 'cause'])
  return { paused }
}

/** The exports whose windows are exported again; a filter of runs does not apply to them. */
function exportsOf(projectId: number, { ids, filter }: Pick<WindowBody, 'ids' | 'filter'>): ItemSource {
  if (ids) return exportsById(projectId, ids)
  const { paused, ...ofRuns } = filter ?? {}
  if (Object.values(ofRuns).some((value) => value !== undefined))
    throw invalidInput("With 'windows', filter only by 'paused'.", ['filter'])
  return exportsBy(projectId, { paused })
}

type WindowBody = Extract<BulkActionInput, { action: 'export_windows' }>
type RunBody = Extract<BulkActionInput, { action: (typeof runActions)[number] }>

async function runsOf(services: Services, projectId: number, { action, ids, filter }: RunBody) {
  if (!filter) return runsById(projectId, ids ?? [])
  const { batch_export: batchExport, cause, status: statuses, backfill } = filter
  const paused = 'paused' in filter ? filter.paused : undefined
  const [after, before, start, end] = [filter.after, filter.before, filter.start, filter.end].map((text) =>
    readInstant(text),
  )
  const areFailures = cause !== undefined || (paused !== undefined && after !== undefined)
  if (paused !== undefined && !areFailures)
    throw invalidInput("'paused' requires 'windows', 'cause' or 'after'.", ['filter', 'paused'])
  if (batchExport === undefined && !areFailures)
    throw invalidInput("'batch_export', 'cause', or 'paused' with 'after' is required.", ['filter'])
  if (batchExport !== undefined) await assertExport(services, projectId, batchExport)
  if (!areFailures)
    return runsBy(projectId, {
      batchExportId: batchExport ?? '',
      inProgress: action === 'cancel_runs',
      statuses,
      after,
      before,
      start,
      end,
      backfill,
    })
  if (action === 'cancel_runs')
    throw invalidInput('Failed runs cannot be cancelled: retry them.', ['filter', 'cause'])
  const unused = [statuses, start, end, backfill].some((value) => value !== undefined)
  if (unused)
    throw invalidInput(
      "A filter of failures allows only 'batch_export', 'cause', 'paused', 'after' and 'before'.",
      ['filter'],
    )
  const period = failurePeriodOf(services, { start: filter.after, end: filter.before })
  return failedRuns({ ...period, projectId, batchExport }, { cause, paused })
}

async function assertExport(services: Services, projectId: number, id: string): Promise<void> {
  if (await findBatchExport(services.store, [projectId], id)) return
  throw unknownId(id, ['filter', 'batch_export'])
}

function showBulkAction(row: BulkActionRow): BulkAction {
  const windows = row.action === 'export_windows' ? windowsOf(row.options) : null
  return shownAs(BulkAction, { ...row, windows, by: row.actor })
}

function windowsOf({ windows }: BulkActionRow['options']): NonNullable<BulkAction['windows']> {
  if (windows === undefined) return 'of_runs'
  return typeof windows === 'string' ? windows : 'in_ranges'
}
