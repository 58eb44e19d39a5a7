import type { AuditEntry } from '../../contract/audit/audit-entry.ts'
import { formatInstant } from '../../contract/instant.ts'
import type { AuditRow } from '../store/audit/audit-entries.ts'

/** Returns an entry as the API, downloads and receivers get it. */
export function showEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    created_at: formatInstant(row.created_at),
    project: row.project_id,
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    object: { type: row.object_type, id: row.object_id, name: row.object_name },
    before: row.before,
    after: row.after,
    request_id: row.request_id,
    seal: row.seal,
  }
}
