import type { KeyEndpointName } from '../../contract/endpoints.ts'
import * as alertChannels from './alerts/alert-channels.ts'
import * as alertRules from './alerts/alert-rules.ts'
import { deliveriesOfChannel, deliveriesOfIncident } from './alerts/deliveries.ts'
import * as incidents from './alerts/incidents.ts'
import { backfillBatchExport } from './exports/backfill-batch-export.ts'
import * as backfills from './runs/backfills.ts'
import * as bulkActions from './bulk-actions.ts'
import { applyBatchExports } from './history/apply-definitions.ts'
import { batchExportsAsYaml } from './history/definitions-as-yaml.ts'
import { driftOfBatchExport } from './exports/drift.ts'
import * as changes from './history/changes.ts'
import { revertBatchExportChange } from './history/revert-change.ts'
import { coverageOfBatchExport } from './ledger/coverage.ts'
import { createBatchExport } from './exports/create-batch-export.ts'
import { deleteBatchExport } from './exports/delete-batch-export.ts'
import * as deleteSessionRecordings from './recordings/delete-session-recordings.ts'
import { downloadLogs } from './runs/download-logs.ts'
import * as errorClusters from './recordings/error-clusters.ts'
import { filterValues } from './recordings/filter-values.ts'
import { failureCauses } from './runs/failure-causes.ts'
import { filesOfRun } from './runs/run-files.ts'
import { getInstance } from './get-instance.ts'
import { getUser } from './get-user.ts'
import type { ApiRequest, Handler } from './handler.ts'
import * as repairPlans from './repair/repair-plans.ts'
import { flagsOfLedger, ledgerOfBatchExport, updateLedger, verifyLedger } from './ledger/ledger.ts'
import * as ledgerFiles from './ledger/ledger-files.ts'
import { listBatchExports } from './exports/list-batch-exports.ts'
import { listSessionRecordings } from './recordings/list-session-recordings.ts'
import { logsOfBatchExport, logsOfRun } from './exports/logs.ts'
import { matchingEvents } from './recordings/matching-events.ts'
import { overviewOfBatchExports } from './exports/overview.ts'
import * as pauses from './exports/pause-batch-export.ts'
import * as personalApiKeys from './personal-api-keys.ts'
import * as persons from './recordings/persons.ts'
import { healthOfProject } from './repair/project-health.ts'
import { previewBatchExport } from './exports/preview.ts'
import { matchedMoments } from './recordings/matched-moments.ts'
import { quickCounts } from './recordings/quick-counts.ts'
import * as recordingCollections from './recordings/recording-collections.ts'
import { assetsOfSessionRecording } from './recordings/recording-assets.ts'
import { eventsOfSessionRecording } from './recordings/recording-events.ts'
import * as collectionLinks from './sharing/collection-links.ts'
import * as recordingLinks from './sharing/recording-links.ts'
import * as recordingNotes from './recordings/recording-notes.ts'
import { propertiesOfRecordings } from './recordings/recording-properties.ts'
import * as recordingSettings from './recordings/recording-settings.ts'
import * as recordingFile from './recordings/recording-file.ts'
import * as recordingViews from './recordings/recording-views.ts'
import { snapshotsOfSessionRecording } from './recordings/recording-snapshots.ts'
import * as runs from './runs/runs.ts'
import * as sessionRecordings from './recordings/session-recordings.ts'
import * as sharing from './sharing/sharing.ts'
import { showBatchExport } from './exports/show-batch-export.ts'
import { similarSessions } from './recordings/similar-sessions.ts'
import * as groupSummaries from './recordings/group-summaries.ts'
import * as summarizeRecording from './recordings/summarize-recording.ts'
import { testConnection } from './exports/try-connection.ts'
import { changeBatchExport } from './exports/update-batch-export.ts'

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
  backfillOrganizationBatchExport: backfillBatchExport,
  logsOfOrganizationBatchExport: logsOfBatchExport,
  pauseOrganizationBatchExport: pauses.pauseBatchExport,
  unpauseOrganizationBatchExport: pauses.unpauseBatchExport,

  healthOfProject,
  ledgerOfBatchExport,
  flagsOfLedger,
  updateLedger,
  verifyLedger,
  ...ledgerFiles,

  ...alertRules,
  ...alertChannels,
  deliveriesOfChannel,
  ...incidents,
  deliveriesOfIncident,
  ...repairPlans,

  listBatchExports,
  createBatchExport,
  getBatchExport,
  updateBatchExport: changeBatchExport,
  replaceBatchExport: changeBatchExport,
  deleteBatchExport,
  backfillBatchExport,
  logsOfBatchExport,
  ...pauses,

  overviewOfOrganizationBatchExports: overviewOfBatchExports,
  overviewOfBatchExports,
  testConnection,
  previewBatchExport,
  coverageOfBatchExport,
  batchExportsAsYaml,
  applyBatchExports,
  driftOfBatchExport,

  ...changes,
  revertBatchExportChange,
  downloadLogs,

  failureCauses,
  filesOfRun,

  ...runs,
  logsOfRun,

  ...backfills,

  listSessionRecordings,
  quickCounts,
  matchedMoments,
  filterValues,
  ...errorClusters,
  matchingEvents,
  propertiesOfRecordings,
  ...deleteSessionRecordings,
  ...sessionRecordings,
  similarSessions,
  ...summarizeRecording,
  ...groupSummaries,
  eventsOfSessionRecording,
  snapshotsOfSessionRecording,
  assetsOfSessionRecording,
  ...recordingNotes,
  ...recordingFile,
  ...sharing,
  ...recordingLinks,
  ...collectionLinks,
  ...recordingCollections,
  ...recordingSettings,
  ...recordingViews,
  ...persons,

  ...bulkActions,

  getUser,
  ...personalApiKeys,
  getInstance,
}
