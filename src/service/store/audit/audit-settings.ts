import { sql, type Selectable, type Updateable } from 'kysely'
import { retentionDaysDefault } from '../../../contract/audit/audit-settings.ts'
import type { AuditSettingsTable } from '../schema/audit-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { assignments, findRow, updateRow } from '../schema/rows.ts'

export type AuditSettingsRow = Selectable<AuditSettingsTable>

/** Returns the settings of an organization's audit log, the newest seal, and how many seals the receiver lacks. */
export async function auditSettings(store: Store, organizationId: string) {
  const [settings, chain] = await Promise.all([
    findRow(store, 'audit_settings', { organization_id: organizationId }),
    findRow(store, 'audit_chains', { organization_id: organizationId }),
  ])
  const found = settings ?? defaultsOf(organizationId)
  const lastNumber = chain?.last_number ?? 0
  return {
    settings: found,
    lastNumber,
    waiting: lastNumber - Math.max(found.sent_number, chain?.removed_number ?? 0),
  }
}

function defaultsOf(organization_id: string): AuditSettingsRow {
  return {
    organization_id,
    retention_days: retentionDaysDefault,
    receiver: null,
    receiver_secrets: null,
    sent_number: 0,
    next_attempt_at: null,
    failures: 0,
    last_sent_at: null,
    last_error: null,
  }
}

export async function changeAuditSettings(
  store: Store,
  organizationId: string,
  change: Updateable<AuditSettingsTable>,
): Promise<AuditSettingsRow> {
  await store
    .insertInto('audit_settings')
    .values({ organization_id: organizationId, retention_days: retentionDaysDefault })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await updateRow(store, 'audit_settings', { organization_id: organizationId }, change)
  if (!row) throw new Error('the settings of the audit log are missing')
  return row
}

/** Takes the settings of an organization whose receiver lacks seals; until `until`, no other process takes them. */
export async function claimReceiver(store: Store, now: Date, until: Date) {
  const [row] = await rowsOf<AuditSettingsRow>(store)`
    UPDATE audit_settings SET next_attempt_at = ${until} WHERE organization_id = (
      SELECT organization_id FROM audit_settings settings
      WHERE receiver IS NOT NULL AND (next_attempt_at IS NULL OR next_attempt_at <= ${now}) AND EXISTS (
        SELECT FROM audit_seals WHERE organization_id = settings.organization_id AND number > sent_number)
      ORDER BY next_attempt_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`
  return row
}

/** Stores how sending to a claimed receiver ended, unless another receiver was chosen meanwhile. */
export async function storeSending(
  store: Store,
  { organization_id, receiver, receiver_secrets }: AuditSettingsRow,
  change: Updateable<AuditSettingsTable>,
): Promise<void> {
  await sql`UPDATE audit_settings SET ${assignments(change)} WHERE organization_id = ${organization_id}
    AND receiver = ${JSON.stringify(receiver)}::jsonb
    AND receiver_secrets IS NOT DISTINCT FROM ${receiver_secrets}`.execute(store)
}
