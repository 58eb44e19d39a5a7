import type { AuditAction } from '../../contract/audit/audit-actions.ts'
import type { NewAuditEntry } from '../store/audit/audit-entries.ts'

/** Returns an entry of the audit log about a command. */
export function byAdmin(
  organizationId: string,
  action: AuditAction,
  id: string,
  name: string,
): NewAuditEntry {
  const actor = { kind: 'system', id: null, name: 'the admin command' } as const
  const acting = { actor, address: null, requestId: null }
  return { organizationId, action, at: new Date(), object: { id, name }, acting }
}
