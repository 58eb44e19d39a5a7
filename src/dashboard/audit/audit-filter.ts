import { auditActions, type AuditAction } from '../../contract/audit/audit-actions.ts'
import type { AuditLogFilter } from '../queries/audit-log.ts'
import type { Zone } from '../format/preferences.ts'
import { fieldTime, readFieldTime } from '../format/time.ts'

/** The search parameters of the page. `from` and `to` are days like 2026-01-31, both included. */
export type AuditSearch = {
  q?: string | undefined
  type?: string | undefined
  action?: string | undefined
  actor?: string | undefined
  object?: string | undefined
  project?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

const dayAndHalfMs = 36 * 3_600_000

/** Returns the query of the API for the page's parameters, without unknown types and actions; days begin at midnight in the chosen zone. */
export function filterOf({ q, type, action, actor, object, project, from, to }: AuditSearch, zone: Zone) {
  const after = from ? readFieldTime(`${from}T00:00`, zone) : null
  const last = to ? readFieldTime(`${to}T00:00`, zone) : null
  // A day and a half reaches the next day even if this one has 23 or 25 hours.
  const next = last && fieldTime(Date.parse(last) + dayAndHalfMs, zone).slice(0, 10)
  const before = next && readFieldTime(`${next}T00:00`, zone)
  const known = auditActions.find((candidate) => candidate === action)
  return {
    ...(q && { search: q.slice(0, 200) }),
    ...(actionsOf(type).length > 0 && { object_type: type }),
    ...(known && { action: [known] }),
    ...(actor && { actor }),
    ...(object && { object }),
    ...(project !== undefined && { project }),
    ...(after && { after }),
    ...(before && { before }),
  } satisfies AuditLogFilter
}

/** Returns the actions on a type of object. */
export function actionsOf(type: string | undefined): AuditAction[] {
  return auditActions.filter((action) => type !== undefined && action.startsWith(`${type}.`))
}
