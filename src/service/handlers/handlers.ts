import type { KeyEndpointName } from '../../contract/endpoints.ts'
import * as user from './accounts/user.ts'
import { joinByInvite } from './accounts/accept-invite.ts'
import * as invites from './accounts/invites.ts'
import * as ownOrganizations from './accounts/own-organizations.ts'
import * as members from './accounts/members.ts'
import * as passkeys from './accounts/passkeys.ts'
import * as secondFactor from './accounts/second-factor.ts'
import * as identityProviders from './accounts/identity-providers.ts'
import * as sessions from './accounts/sessions.ts'
import * as alertChannels from './alerts/alert-channels.ts'
import * as alertRules from './alerts/alert-rules.ts'
import { deliveriesOfChannel, deliveriesOfIncident } from './alerts/deliveries.ts'
import * as incidents from './alerts/incidents.ts'
import * as auditLog from './audit/audit-log.ts'
import * as bulkActions from './bulk-actions.ts'
import { createBatchExport } from './exports/create-batch-export.ts'
import { deleteBatchExport } from './exports/delete-batch-export.ts'
import { driftOfBatchExport } from './exports/drift.ts'
import { downloadLogs, logsOfBatchExport, logsOfRun } from './exports/logs.ts'
import { overviewOfBatchExports } from './exports/overview.ts'
import * as actions from './exports/batch-export-actions.ts'
import { listBatchExports, showBatchExport } from './exports/show-batch-export.ts'
import * as testSteps from './exports/test-steps.ts'
import * as trials from './exports/trials.ts'
import { changeBatchExport } from './exports/update-batch-export.ts'
import type { ApiRequest, Handler } from './handler.ts'
import { applyBatchExports } from './history/apply-definitions.ts'
import * as changes from './history/changes.ts'
import { batchExportsAsYaml } from './history/definitions-as-yaml.ts'
import { revertBatchExportChange } from './history/revert-change.ts'
import * as integrations from './integrations/integrations.ts'
import { rotateIntegration } from './integrations/rotate-integration.ts'
import * as ledger from './ledger/ledger.ts'
import * as ledgerFiles from './ledger/ledger-files.ts'
import * as personalApiKeys from './accounts/personal-api-keys.ts'
import * as personErasures from './privacy/person-erasures.ts'
import * as privacySettings from './privacy/privacy-settings.ts'
import * as retention from './privacy/retention.ts'
import * as errorClusters from './recordings/error-clusters.ts'
import * as groupSummaries from './recordings/group-summaries.ts'
import * as listRecordings from './recordings/list-session-recordings.ts'
import * as persons from './recordings/persons.ts'
import { assetsOfSessionRecording } from './recordings/recording-assets.ts'
import * as recordingCollections from './recordings/recording-collections.ts'
import * as recordingEvents from './recordings/recording-events.ts'
import * as recordingFile from './recordings/recording-file.ts'
import * as noteMentions from './recordings/note-mentions.ts'
import * as recordingNotes from './recordings/recording-notes.ts'
import * as recordingSettings from './recordings/recording-settings.ts'
import { snapshotsOfSessionRecording } from './recordings/recording-snapshots.ts'
import * as recordingViews from './recordings/recording-views.ts'
import * as sessionRecordings from './recordings/session-recordings.ts'
import { similarSessions } from './recordings/similar-sessions.ts'
import * as summarizeRecording from './recordings/summarize-recording.ts'
import { healthOfProject } from './repair/project-health.ts'
import * as repairPlans from './repair/repair-plans.ts'
import * as backfills from './runs/backfills.ts'
import { failureCauses, problemAssignees, updateProblems } from './runs/failure-causes.ts'
import * as runs from './runs/runs.ts'
import * as links from './sharing/links.ts'
import * as sharing from './sharing/sharing.ts'

const getBatchExport = (request: Pick<ApiRequest<'getBatchExport'>, 'services' | 'caller' | 'batchExport'>) =>
  showBatchExport(request, request.batchExport)

/**
 * The handler of each endpoint, under the endpoint's name; a missing or mismatched handler is a compile error. A module that
 * exports only handlers is spread.
 */
export const handlers: { [Name in KeyEndpointName]: Handler<Name> } = {
  listOrganizationBatchExports: listBatchExports,
  createOrganizationBatchExport: createBatchExport,
  getOrganizationBatchExport: getBatchExport,
  updateOrganizationBatchExport: changeBatchExport,
  replaceOrganizationBatchExport: changeBatchExport,
  deleteOrganizationBatchExport: deleteBatchExport,
  backfillOrganizationBatchExport: actions.backfillBatchExport,
  logsOfOrganizationBatchExport: logsOfBatchExport,
  pauseOrganizationBatchExport: actions.pauseBatchExport,
  unpauseOrganizationBatchExport: actions.unpauseBatchExport,
  overviewOfOrganizationBatchExports: overviewOfBatchExports,

  listBatchExports,
  createBatchExport,
  getBatchExport,
  updateBatchExport: changeBatchExport,
  replaceBatchExport: changeBatchExport,
  deleteBatchExport,
  overviewOfBatchExports,
  driftOfBatchExport,
  downloadLogs,
  logsOfBatchExport,
  logsOfRun,
  ...actions,
  previewBatchExport: trials.previewBatchExport,
  testConnection: trials.testConnection,
  planTable: trials.planTable,
  ...testSteps,

  applyBatchExports,
  batchExportsAsYaml,
  revertBatchExportChange,
  ...changes,

  failureCauses,
  problemAssignees,
  updateProblems,
  ...runs,
  ...backfills,

  ...ledger,
  ...ledgerFiles,

  healthOfProject,
  ...repairPlans,

  ...alertRules,
  ...alertChannels,
  ...incidents,
  deliveriesOfChannel,
  deliveriesOfIncident,

  assetsOfSessionRecording,
  similarSessions,
  snapshotsOfSessionRecording,
  ...errorClusters,
  ...groupSummaries,
  ...links,
  ...listRecordings,
  ...persons,
  ...recordingCollections,
  ...recordingEvents,
  ...recordingFile,
  ...noteMentions,
  ...recordingNotes,
  ...recordingSettings,
  ...recordingViews,
  ...sessionRecordings,
  ...sharing,
  ...summarizeRecording,

  ...personErasures,
  ...privacySettings,
  ...retention,

  ...integrations,
  rotateIntegration,

  ...user,
  ...sessions,
  ...secondFactor,
  ...passkeys,
  ...members,
  ...invites,
  ...ownOrganizations,
  joinByInvite,
  ...identityProviders,
  ...auditLog,
  ...bulkActions,
  ...personalApiKeys,
}
