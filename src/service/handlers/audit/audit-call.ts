import type { AuditAction } from '../../../contract/audit/audit-actions.ts'
import { endpoints, type Endpoint, type KeyEndpointName } from '../../../contract/endpoints.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Services } from '../../services.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { audit, type NewAuditEntry } from '../../store/audit/audit-entries.ts'
import { auditedEndpoints, type Audited } from './audited-endpoints.ts'

/** A request after all checks, as a handler of any endpoint receives it. */
export type CheckedRequest = Record<string, unknown> & { services: Services; caller: Caller }

const hourMs = 3_600_000

/**
 * Runs a handler and adds the entry of its endpoint to the audit log: before anyone learns that it worked, and none if it did
 * not. Where the endpoint is atomic, entry and change are one transaction.
 */
export async function auditCall(
  name: KeyEndpointName,
  request: CheckedRequest,
  handle: (request: CheckedRequest) => Promise<unknown>,
): Promise<unknown> {
  const audited = auditedEndpoints[name]
  if (!audited || !('action' in audited) || !isRecorded(audited, request)) return await handle(request)
  const perform = async (services: Services) => {
    const result = await handle({ ...request, services })
    await audit(services.store, entryOf(endpoints[name], audited, request, result))
    return result
  }
  const { services } = request
  if (!audited.atomic) return await perform(services)
  return await services.store.transaction().execute((store) => perform({ ...services, store }))
}

function isRecorded({ onceWith }: Audited, { query }: CheckedRequest): boolean {
  return onceWith === undefined || Object(query)[onceWith] !== undefined
}

/** A row of the store, the body of a request or that of a response. */
type Values = Record<string, unknown>

function entryOf(
  { loads = {} }: Endpoint,
  { action, fields = [], onceWith }: Audited,
  request: CheckedRequest,
  result: unknown,
): NewAuditEntry {
  const { services, caller, body } = request
  const at = new Date(services.clock.now())
  const rows = Object.keys(loads)
    .filter((object) => object !== 'project' && object !== 'organization')
    .map((object) => valuesOf(request[object]))
  const response = valuesOf(result)
  const isNew = action.endsWith('.created') || action.endsWith('.started') || action.endsWith('.imported')
  const named = isNew && response['id'] !== undefined ? [...rows, response] : rows
  const row = isNew ? {} : (rows.at(-1) ?? {})
  const id = idOf(named.at(-1))
  const names = named.map(nameOf).filter((name) => name !== null)
  const project =
    valuesOf(request['project'])['id'] ?? rows.map((values) => values['project_id']).find(Number)
  const isGone = action.endsWith('.deleted') || action.endsWith('.revoked')
  const { actor } = actingNow()
  const hour = Math.floor(at.getTime() / hourMs)
  return {
    organizationId: caller.organizationId,
    projectId: typeof project === 'number' ? project : null,
    action,
    at,
    object: { id, name: names.join(' / ') || null },
    ...changedValues(pick(row, fields), isGone ? {} : pick({ ...valuesOf(body), ...response }, fields)),
    ...(onceWith !== undefined && { once: `${action} ${actor.kind} ${actor.id} ${id} ${hour}` }),
  }
}

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Clients know a recording by its session; other rows that have one are not recordings, and have no activity. */
function idOf(row: Values = {}): string | null {
  const id = 'activity' in row && 'session_id' in row ? row['session_id'] : row['id']
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

/** Returns the name of an object: of a recording its session, because a visitor's name would name a person. */
function nameOf(row: Values): string | null {
  if ('activity' in row && 'session_id' in row) return String(row['session_id'])
  const name = row['name'] ?? row['label']
  return typeof name === 'string' && name !== '' ? name : null
}

function pick(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(
    fields.filter((field) => values[field] !== undefined).map((field) => [field, values[field]]),
  )
}

/** Returns the fields that differ, with their values before and after. */
export function changedValues(before: Values, after: Values): Pick<NewAuditEntry, 'before' | 'after'> {
  const isSame = (field: string) =>
    field in before && field in after && JSON.stringify(before[field]) === JSON.stringify(after[field])
  const without = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => !isSame(field)))
  return { before: without(before), after: without(after) }
}

/** Returns the entry of a handler that writes it itself, in the transaction of its change. */
export function entryBy(
  { services, caller, project }: { services: Services; caller: Caller; project: Project },
  action: AuditAction,
  object: { id: string | number; name: string },
): NewAuditEntry {
  return {
    organizationId: caller.organizationId,
    projectId: project.id,
    action,
    at: new Date(services.clock.now()),
    object: { ...object, id: String(object.id) },
  }
}
