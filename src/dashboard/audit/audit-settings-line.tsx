import { useQuery } from '@tanstack/react-query'
import { lazyNamed } from '../ui/lazy-named.ts'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import type { AuditReceiver } from '../../contract/audit/audit-settings.ts'
import { useAccount } from '../account.ts'
import { counted } from '../format/amount.ts'
import { auditSettingsQuery } from '../queries/audit-log.ts'
import { Button } from '../ui/controls/button.tsx'
import { DialogButton } from '../ui/controls/dialog-button.tsx'
import { RelativeTime } from '../ui/time.tsx'

const AuditSettingsDialog = lazyNamed(() => import('./audit-settings-dialog.tsx'), 'AuditSettingsDialog')

/** The button that opens the settings, disabled with the reason for those who may not change them. */
export function AuditSettingsButton() {
  const { scopes } = useAccount()
  const { data } = useQuery(auditSettingsQuery)
  const reason = scopeReason(scopes, 'audit_log:write')
  if (reason !== null || !data)
    return <Button reason={reason ?? 'The settings are not loaded yet.'}>Settings</Button>
  return (
    <DialogButton label="Settings">
      {(onClose) => <AuditSettingsDialog settings={data} onClose={onClose} />}
    </DialogButton>
  )
}

/** Says how long the audit log is kept, where it is sent, and whether that works. */
export function AuditSettingsLine() {
  const { data } = useQuery(auditSettingsQuery)
  if (!data) return null
  const { retention_days: days, receiver, last_sent_at: sent, last_error: error, waiting } = data
  return (
    <>
      {' '}
      Entries are kept for {days % 365 === 0 ? counted(days / 365, 'year') : counted(days, 'day')}
      {receiver === null ? '.' : ` and sent to ${nameOf(receiver)}.`}
      {receiver !== null && sent !== null && error === null && (
        <>
          {' '}
          Last sent <RelativeTime time={sent} />.
        </>
      )}
      {error !== null && (
        <output className="mt-1.5 block text-fail-ink wrap-anywhere">
          {counted(waiting, 'batch', 'batches')} could not be sent yet and will be sent again: {error}
        </output>
      )}
    </>
  )
}

function nameOf(receiver: AuditReceiver): string {
  return receiver.type === 'webhook' ? receiver.origin : `${receiver.host}:${receiver.port}`
}
