import type { endpoints, EndpointName, KeyEndpointName } from '../../../contract/endpoints.ts'
import { IdentityProvider } from '../../../contract/accounts/identity-provider.ts'
import type { AuditAction } from '../../../contract/audit/audit-actions.ts'
import { PrivacySettings } from '../../../contract/privacy/privacy-settings.ts'
import { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'

/** How requests of an endpoint enter the audit log. */
export type Audited = {
  action: AuditAction
  /** Fields of the object, the request and the response whose values are recorded; never one that can contain a secret or a person. */
  fields?: readonly string[]
  /** The change and its entry are one transaction. Not for requests that contact others or take long. */
  atomic?: true
  /** Each actor once an hour for each object. */
  onceAnHour?: true
  /** Only requests whose query has this parameter. */
  onlyWith?: string
}

type Changing = {
  [Name in KeyEndpointName]: (typeof endpoints)[Name]['method'] extends 'GET' ? never : Name
}[EndpointName & KeyEndpointName]

/** An endpoint whose handler writes the entry itself, in the transaction of its change, or one without an entry, and why. */
type Other = { by: 'handler' | 'history of exports' } | { none: string }

const byHistory = { by: 'history of exports' } as const
const byHandler = { by: 'handler' } as const
const changesNothing = { none: 'Changes nothing.' } as const
const view = { none: 'A saved filter of the list, without content of recordings.' } as const

/** A change in one transaction with its entry. */
function change(action: AuditAction, fields: readonly string[] = []): Audited {
  return { action, fields, atomic: true }
}

const keyFields = [
  'label',
  'scopes',
  'scoped_teams',
  'scoped_projects',
  'scoped_organizations',
  'expires_at',
  'is_service',
]
const inviteFields = ['email', 'role', 'project_roles', 'expires_at']
const providerFields = Object.keys(IdentityProvider.shape)
const ruleFields = ['kind', 'level', 'enabled', 'late_minutes', 'remind_minutes', 'channels']
const shareFields = [
  'enabled',
  'label',
  'shows',
  'names',
  'highlights',
  'expires_at',
  'start',
  'end',
  'password_required',
]
const planFields = ['status', 'start', 'end']
const bulkFields = ['action', 'total']

/** Every endpoint that changes something, and those that read something sensitive: the compiler requires the former. */
export const auditedEndpoints: Readonly<
  Record<Changing, Audited | Other> & Partial<Record<KeyEndpointName, Audited | Other>>
> = {
  createPersonalApiKey: change('key.created', keyFields),
  deletePersonalApiKey: change('key.revoked', keyFields),

  deleteSessions: change('session.ended'),
  deleteSession: change('session.ended', ['device', 'address']),
  signOut: change('session.ended'),
  switchOrganization: byHandler,
  confirmSession: { none: 'Changes nothing that others see; a wrong password or passkey is counted.' },
  changeUser: byHandler,
  beginPasskeyConfirmation: changesNothing,
  beginSecondFactor: { none: 'Takes effect with a code from the authenticator app.' },
  finishSecondFactor: byHandler,
  replaceRecoveryCodes: byHandler,
  deleteSecondFactor: byHandler,
  beginPasskey: changesNothing,
  createPasskey: byHandler,
  updatePasskey: change('passkey.updated', ['name']),
  deletePasskey: change('passkey.deleted', ['name', 'host']),

  changeMember: byHandler,
  removeMember: byHandler,
  leaveOrganization: byHandler,
  createInvite: change('invite.created', inviteFields),
  sendInvite: change('invite.sent', inviteFields),
  deleteInvite: change('invite.revoked', inviteFields),
  joinByInvite: byHandler,
  createIdentityProvider: change('sign_in_provider.created', providerFields),
  updateIdentityProvider: byHandler,
  deleteIdentityProvider: change('sign_in_provider.deleted', providerFields),
  testIdentityProvider: changesNothing,

  createBatchExport: byHistory,
  createOrganizationBatchExport: byHistory,
  updateBatchExport: byHistory,
  updateOrganizationBatchExport: byHistory,
  replaceBatchExport: byHistory,
  replaceOrganizationBatchExport: byHistory,
  deleteBatchExport: byHistory,
  deleteOrganizationBatchExport: byHistory,
  pauseBatchExport: byHistory,
  pauseOrganizationBatchExport: byHistory,
  unpauseBatchExport: byHistory,
  unpauseOrganizationBatchExport: byHistory,
  applyBatchExports: byHistory,
  revertBatchExportChange: byHistory,
  updateLedger: byHistory,
  backfillBatchExport: change('export.backfilled', ['backfill_id']),
  backfillOrganizationBatchExport: change('export.backfilled', ['backfill_id']),
  verifyLedger: change('export.verified', ['total']),
  testConnection: changesNothing,
  runNewTestStep: changesNothing,
  runTestStep: changesNothing,
  previewBatchExport: changesNothing,
  planTable: changesNothing,
  retryRun: change('run.retried', ['data_interval_start', 'data_interval_end']),
  cancelRun: change('run.cancelled', ['data_interval_start', 'data_interval_end']),
  cancelBackfill: change('backfill.cancelled', ['start_at', 'end_at']),

  createBulkAction: change('bulk_action.started', bulkFields),
  cancelBulkAction: change('bulk_action.cancelled', bulkFields),
  undoBulkAction: change('bulk_action.undone', bulkFields),
  createRepairPlan: { action: 'repair_plan.created', fields: planFields },
  changeRepairPlan: change('repair_plan.changed', planFields),
  runRepairPlan: change('repair_plan.started', planFields),
  stopRepairPlan: change('repair_plan.stopped', planFields),

  createIntegration: byHandler,
  rotateIntegration: byHandler,
  deleteIntegration: change('connection.deleted', ['kind', 'address']),

  createAlertRule: change('alert_rule.created', ruleFields),
  updateAlertRule: change('alert_rule.updated', ruleFields),
  deleteAlertRule: change('alert_rule.deleted', ruleFields),
  createAlertChannel: byHandler,
  updateAlertChannel: byHandler,
  deleteAlertChannel: change('alert_channel.deleted', ['type', 'origin', 'recipients']),
  testAlertChannel: change('alert_channel.tested'),
  acknowledgeIncident: change('incident.acknowledged', ['acknowledged']),
  muteIncident: change('incident.muted', ['muted']),

  snapshotsOfSessionRecording: { action: 'recording.watched', onceAnHour: true, onlyWith: 'source' },
  fileOfSessionRecording: { action: 'recording.downloaded' },
  importSessionRecording: { action: 'recording.imported' },
  updateSessionRecording: change('recording.marked', ['viewed']),
  persistSessionRecording: change('recording.kept'),
  summarizeSessionRecording: { action: 'recording.summarized' },
  deleteSessionRecording: { action: 'recording.deleted' },
  bulkDeleteRecordings: { action: 'recording.deleted', fields: ['session_recording_ids', 'deleted_count'] },
  createGroupSummary: { action: 'recording.summarized' },
  cancelGroupSummary: { none: 'Ends work that its start has recorded.' },
  rewordGroupSummary: { action: 'recording.summarized' },
  updateErrorClusters: byHandler,
  updateProblems: byHandler,
  updateRecordingSettings: change('recording_settings.updated', Object.keys(RecordingSettings.shape)),
  erasePerson: byHandler,
  updatePrivacySettings: change('privacy_settings.updated', Object.keys(PrivacySettings.shape)),
  getPerson: { action: 'person.viewed', onceAnHour: true },
  createRecordingNote: change('note.created'),
  updateRecordingNote: change('note.updated'),
  deleteRecordingNote: change('note.deleted'),
  readMentions: { none: 'Marks what only the user sees.' },

  updateSharing: change('share.updated', shareFields),
  bulkUpdateSharing: change('share.updated', ['ids', 'enabled']),
  refreshSharing: change('share.replaced'),
  createRecordingLink: change('share.created', shareFields),
  updateRecordingLink: change('share.updated', shareFields),
  deleteRecordingLink: change('share.deleted', shareFields),
  createCollectionLink: change('share.created', shareFields),
  updateCollectionLink: change('share.updated', shareFields),
  deleteCollectionLink: change('share.deleted', shareFields),

  createRecordingCollection: change('collection.created', ['name']),
  updateRecordingCollection: change('collection.updated', ['name']),
  deleteRecordingCollection: change('collection.deleted', ['name']),
  addToRecordingCollection: change('collection.filled', ['ids', 'recording_count']),
  addOneToRecordingCollection: change('collection.filled'),
  removeFromRecordingCollection: change('collection.reduced'),
  createRecordingView: view,
  updateRecordingView: view,
  deleteRecordingView: view,

  exportAuditLog: { action: 'audit_log.exported' },
  updateAuditSettings: byHandler,
}
