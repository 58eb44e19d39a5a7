import { auditActions, type AuditAction, type AuditObject } from '../../contract/audit/audit-actions.ts'
import type { AuditEntry } from '../../contract/audit/audit-entry.ts'

/** What an actor did; `*` is the object's name, and the part in brackets is left out if it has none. */
const sentences: Record<AuditAction, string> = {
  'sign_in.succeeded': 'signed in[ on *]',
  'sign_in.refused': 'failed to sign in',
  'access.refused': 'was refused[: *]',
  'session.ended': 'ended a session[ on *]',
  'sign_in_provider.created': 'added the identity provider[ *]',
  'sign_in_provider.updated': 'changed the identity provider[ *]',
  'sign_in_provider.deleted': 'removed the identity provider[ *]',
  'member.added': 'added the member[ *]',
  'member.updated': 'changed the account[ of *]',
  'member.role_changed': 'changed the role[ of *]',
  'member.password_changed': 'changed the password[ of *]',
  'member.second_factor_changed': 'changed two-step sign-in[ of *]',
  'member.recovery_code_used': 'used a recovery code',
  'passkey.created': 'added the passkey[ *]',
  'passkey.updated': 'renamed the passkey[ *]',
  'passkey.deleted': 'removed the passkey[ *]',
  'member.removed': 'removed the member[ *]',
  'invite.created': 'created an invite',
  'invite.sent': 'sent an invite by e-mail',
  'invite.revoked': 'revoked an invite',
  'organization.created': 'created the organization[ *]',
  'organization.updated': 'changed the organization[ *]',
  'project.created': 'created the project[ *]',
  'key.created': 'created the API key[ *]',
  'key.revoked': 'revoked the API key[ *]',
  'key.refused': 'was refused',
  'export.created': 'created the export[ *]',
  'export.cloned': 'created the export[ *] as a clone',
  'export.updated': 'changed the export[ *]',
  'export.paused': 'paused the export[ *]',
  'export.unpaused': 'unpaused the export[ *]',
  'export.deleted': 'deleted the export[ *]',
  'export.restored': 'restored the export[ *]',
  'export.backfilled': 'started a backfill[ of *]',
  'export.verified': 'verified windows[ of *]',
  'run.retried': 'retried a run[ of *]',
  'run.cancelled': 'cancelled a run[ of *]',
  'run.file_downloaded': 'downloaded the exported file[ *]',
  'backfill.cancelled': 'cancelled a backfill[ of *]',
  'bulk_action.started': 'started a bulk action',
  'bulk_action.cancelled': 'cancelled a bulk action',
  'bulk_action.undone': 'undid a bulk action',
  'repair_plan.created': 'planned a repair',
  'repair_plan.changed': 'changed a repair plan',
  'repair_plan.started': 'started a repair',
  'repair_plan.stopped': 'stopped a repair',
  'connection.created': 'created the connection[ *]',
  'connection.secret_rotated': 'rotated the connection[ *]',
  'connection.deleted': 'deleted the connection[ *]',
  'alert_rule.created': 'added a rule of alerts',
  'alert_rule.updated': 'changed a rule of alerts',
  'alert_rule.deleted': 'removed a rule of alerts',
  'alert_channel.created': 'added the channel[ *]',
  'alert_channel.updated': 'changed the channel[ *]',
  'alert_channel.tested': 'sent a test to the channel[ *]',
  'alert_channel.deleted': 'deleted the channel[ *]',
  'incident.acknowledged': 'acknowledged an incident',
  'incident.muted': 'muted an incident',
  'recording.watched': 'watched the recording[ *]',
  'recording.marked': 'marked the recording[ *]',
  'recording.downloaded': 'downloaded the recording[ *]',
  'recording.imported': 'imported the recording[ *]',
  'recording.kept': 'kept the recording[ *]',
  'recording.summarized': 'summarized recordings[ *]',
  'recording.deleted': 'deleted recordings[ *]',
  'recording_settings.updated': 'changed what is recorded',
  'error.changed': 'changed an error',
  'problem.changed': 'changed the problem[ *]',
  'note.created': 'wrote a note',
  'note.updated': 'changed a note',
  'note.deleted': 'deleted a note',
  'collection.created': 'created the collection[ *]',
  'collection.updated': 'changed the collection[ *]',
  'collection.filled': 'added recordings to the collection[ *]',
  'collection.reduced': 'removed a recording from the collection[ *]',
  'collection.deleted': 'deleted the collection[ *]',
  'share.created': 'created a link[ to *]',
  'share.updated': 'changed a link[ to *]',
  'share.replaced': 'replaced the link[ to *]',
  'share.deleted': 'deleted a link[ to *]',
  'share.opened': 'opened[ *]',
  'person.viewed': 'looked at a person',
  'person.deleted': 'deleted a person',
  'privacy_settings.updated': 'changed the privacy settings',
  'audit_log.exported': 'exported the audit log',
  'audit_log.settings_changed': 'changed the settings of the audit log',
  'audit_log.trimmed': 'deleted entries after their retention',
  'audit_log.seal_doubted': 'found a signature of the audit log that does not match',
}

const objectNames: Record<AuditObject, string> = {
  sign_in: 'Sign-ins',
  access: 'Refused requests',
  sign_in_provider: 'Identity providers',
  passkey: 'Passkeys',
  session: 'Sessions',
  member: 'Members',
  organization: 'Organization',
  invite: 'Invites',
  project: 'Projects',
  key: 'API keys',
  export: 'Exports',
  run: 'Runs',
  backfill: 'Backfills',
  bulk_action: 'Bulk actions',
  repair_plan: 'Repairs',
  connection: 'Connections',
  alert_rule: 'Alert rules',
  alert_channel: 'Alert channels',
  incident: 'Incidents',
  recording: 'Recordings',
  recording_settings: 'Recording settings',
  error: 'Errors',
  problem: 'Problems',
  note: 'Notes',
  collection: 'Collections',
  share: 'Links',
  person: 'Persons',
  privacy_settings: 'Privacy settings',
  audit_log: 'Audit log',
}

/** The types of objects with their labels, as choices of a filter. */
export const auditObjectChoices = Object.entries(objectNames) as [AuditObject, string][]

/** Returns the parts of the sentence about an entry around the name of its object; the name is null if the sentence has none. */
export function auditSentence({ action, object }: Pick<AuditEntry, 'action' | 'object'>) {
  const known = auditActions.find((candidate) => candidate === action)
  const template = known ? sentences[known] : action
  const [before = '', part, after = ''] = template.split(/\[|\]/)
  if (part === undefined || object.name === null) return { before: before + after, name: null, after: '' }
  const [start = '', end = ''] = part.split('*')
  return { before: before + start, name: object.name, after: end + after }
}

/** Describes a value before or after a change. */
export function auditValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.join(', ') || 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
