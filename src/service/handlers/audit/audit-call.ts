import type { AuditAction } from '../../../contract/audit/audit-actions.ts'
import { endpoints, type Endpoint, type KeyEndpointName } from '../../../contract/endpoints.ts'
import { hashedPerson } from '../../audit/chain.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Services } from '../../services.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { actingNow } from '../../store/audit/acting.ts'
import { audit, type NewAuditEntry } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
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
  return await inTransaction(services.store, (store) => perform({ ...services, store }))
}

function isRecorded({ onlyWith }: Audited, { query }: CheckedRequest): boolean {
  return onlyWith === undefined || Object(query)[onlyWith] !== undefined
}

/** A row of the store, the body of a request or that of a response. */
type Values = Record<string, unknown>
/** An object as entries name it. */
type Named = { id: string | null; name: string | null }

function entryOf(
  { loads = {} }: Endpoint,
  { action, fields = [], onceAnHour }: Audited,
  request: CheckedRequest,
  result: unknown,
): NewAuditEntry {
  const { services, caller, body } = request
  const at = new Date(services.clock.now())
  const objects = Object.keys(loads).filter((object) => object !== 'project' && object !== 'organization')
  const rows = objects.map((object) => valuesOf(request[object]))
  const response = valuesOf(result)
  const isNew = /\.(created|started|imported)$/.test(action) && response['id'] !== undefined
  const isGone = /\.(deleted|revoked)$/.test(action)
  const path = rows.map((row, index) => named(services, objects[index], row))
  const all = isNew ? [...path, named(services, undefined, response)] : path
  const id = all.at(-1)?.id ?? null
  const name = all.flatMap((object) => object.name ?? []).join(' / ') || null
  const before = isNew ? {} : pick(rows.at(-1) ?? {}, fields)
  const after = isGone ? {} : pick({ ...valuesOf(body), ...response }, fields)
  const { actor } = actingNow()
  const hour = Math.floor(at.getTime() / hourMs)
  return {
    organizationId: caller.organizationId,
    projectId:
      [valuesOf(request['project'])['id'], ...rows.map((row) => row['project_id'])].find(isNumber) ?? null,
    action,
    at,
    object: { id, name },
    ...changedValues(before, after),
    ...(onceAnHour && { once: `${action} ${actor.kind} ${actor.id} ${id} ${hour}` }),
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Names a recording by its session, since a visitor's name would name a person, and a person by a keyed hash. */
function named({ secrets }: Services, object: string | undefined, row: Values): Named {
  if (object === 'recording') return { id: String(row['session_id']), name: String(row['session_id']) }
  if (object === 'person') {
    const [first] = Array.isArray(row['distinct_ids']) ? row['distinct_ids'] : []
    return { id: hashedPerson(secrets, Number(row['project_id']), String(first)), name: null }
  }
  const { id } = row
  const name = row['name'] ?? row['label']
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    name: typeof name === 'string' && name !== '' ? name : null,
  }
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
  object: { id: string | number; name: string | null },
): NewAuditEntry {
  return {
    organizationId: caller.organizationId,
    projectId: project.id,
    action,
    at: new Date(services.clock.now()),
    object: { ...object, id: String(object.id) },
  }
}
