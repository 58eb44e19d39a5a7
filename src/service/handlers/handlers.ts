import type { KeyEndpointName } from '../../contract/endpoints.ts'
import {
  createAlertChannel,
  deleteAlertChannel,
  getAlertChannel,
  listAlertChannels,
  testAlertChannel,
  updateAlertChannel,
} from './alerts/alert-channels.ts'
import {
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  listAlertRules,
  updateAlertRule,
} from './alerts/alert-rules.ts'
import { deliveriesOfChannel, deliveriesOfIncident } from './alerts/deliveries.ts'
import { acknowledgeIncident, getIncident, listIncidents, muteIncident } from './alerts/incidents.ts'
import { backfillBatchExport } from './exports/backfill-batch-export.ts'
import { cancelBackfill, getBackfill, listBackfills } from './runs/backfills.ts'
import {
  cancelBulkAction,
  createBulkAction,
  getBulkAction,
  listBulkActions,
  undoBulkAction,
} from './bulk-actions.ts'
import { applyBatchExports } from './history/apply-definitions.ts'
import { batchExportsAsYaml } from './history/definitions-as-yaml.ts'
import { driftOfBatchExport } from './exports/drift.ts'
import { changesOfBatchExport, changesOfProject } from './history/changes.ts'
import { revertBatchExportChange } from './history/revert-change.ts'
import { coverageOfBatchExport } from './ledger/coverage.ts'
import { createBatchExport } from './exports/create-batch-export.ts'
import { deleteBatchExport } from './exports/delete-batch-export.ts'
import { bulkDeleteRecordings, deleteSessionRecording } from './recordings/delete-session-recordings.ts'
import { downloadLogs } from './runs/download-logs.ts'
import { errorClusters, errorMoments, updateErrorClusters } from './recordings/error-clusters.ts'
import { filterValues } from './recordings/filter-values.ts'
import { failureCauses } from './runs/failure-causes.ts'
import { filesOfRun } from './runs/run-files.ts'
import { getInstance } from './get-instance.ts'
import { getUser } from './get-user.ts'
import type { ApiRequest, Handler } from './handler.ts'
import {
  changeRepairPlan,
  createRepairPlan,
  getRepairPlan,
  listRepairPlans,
  runRepairPlan,
  stopRepairPlan,
} from './repair/repair-plans.ts'
import { flagsOfLedger, ledgerOfBatchExport, updateLedger, verifyLedger } from './ledger/ledger.ts'
import { downloadLedger, getReceiptKey, receiptOfLedger } from './ledger/ledger-files.ts'
import { listBatchExports } from './exports/list-batch-exports.ts'
import { listSessionRecordings } from './recordings/list-session-recordings.ts'
import { logsOfBatchExport, logsOfRun } from './exports/logs.ts'
import { matchingEvents } from './recordings/matching-events.ts'
import { overviewOfBatchExports } from './exports/overview.ts'
import { pauseBatchExport, unpauseBatchExport } from './exports/pause-batch-export.ts'
import {
  createPersonalApiKey,
  deletePersonalApiKey,
  getCurrentApiKey,
  listPersonalApiKeys,
} from './personal-api-keys.ts'
import {
  eventsOfPerson,
  exportsOfPerson,
  findPersons,
  getPerson,
  visitsOfPerson,
} from './recordings/persons.ts'
import { healthOfProject } from './repair/project-health.ts'
import { previewBatchExport } from './exports/preview.ts'
import { matchedMoments } from './recordings/matched-moments.ts'
import { quickCounts } from './recordings/quick-counts.ts'
import {
  addOneToRecordingCollection,
  addToRecordingCollection,
  createRecordingCollection,
  deleteRecordingCollection,
  getRecordingCollection,
  listRecordingCollections,
  removeFromRecordingCollection,
  updateRecordingCollection,
} from './recordings/recording-collections.ts'
import { assetsOfSessionRecording } from './recordings/recording-assets.ts'
import { eventsOfSessionRecording } from './recordings/recording-events.ts'
import {
  createCollectionLink,
  deleteCollectionLink,
  listCollectionLinks,
  updateCollectionLink,
} from './sharing/collection-links.ts'
import {
  createRecordingLink,
  deleteRecordingLink,
  listRecordingLinks,
  updateRecordingLink,
} from './sharing/recording-links.ts'
import {
  createRecordingNote,
  deleteRecordingNote,
  listRecordingNotes,
  updateRecordingNote,
} from './recordings/recording-notes.ts'
import { propertiesOfRecordings } from './recordings/recording-properties.ts'
import { getRecordingSettings, updateRecordingSettings } from './recordings/recording-settings.ts'
import { fileOfSessionRecording, importSessionRecording } from './recordings/recording-file.ts'
import {
  createRecordingView,
  deleteRecordingView,
  listRecordingViews,
  updateRecordingView,
} from './recordings/recording-views.ts'
import { snapshotsOfSessionRecording } from './recordings/recording-snapshots.ts'
import { cancelRun, getRun, getStandaloneRun, listRuns, retryRun } from './runs/runs.ts'
import {
  getSessionRecording,
  persistSessionRecording,
  updateSessionRecording,
} from './recordings/session-recordings.ts'
import { bulkUpdateSharing, getSharing, refreshSharing, updateSharing } from './sharing/sharing.ts'
import { showBatchExport } from './exports/show-batch-export.ts'
import { similarSessions } from './recordings/similar-sessions.ts'
import {
  cancelVisitsSummary,
  createVisitsSummary,
  getVisitsSummary,
  rewordVisitsSummary,
} from './recordings/visits-summaries.ts'
import { summarizeSessionRecording, summaryOfSessionRecording } from './recordings/summarize-recording.ts'
import { testConnection } from './exports/try-connection.ts'
import { changeBatchExport } from './exports/update-batch-export.ts'

const getBatchExport = (request: Pick<ApiRequest<'getBatchExport'>, 'services' | 'caller' | 'batchExport'>) =>
  showBatchExport(request, request.batchExport)

/** The handler of each endpoint; a missing or mismatched handler is a compile error. */
export const handlers: { [Name in KeyEndpointName]: Handler<Name> } = {
  listOrganizationBatchExports: listBatchExports,
  createOrganizationBatchExport: createBatchExport,
  getOrganizationBatchExport: getBatchExport,
  updateOrganizationBatchExport: changeBatchExport,
  replaceOrganizationBatchExport: changeBatchExport,
  deleteOrganizationBatchExport: deleteBatchExport,
  backfillOrganizationBatchExport: backfillBatchExport,
  logsOfOrganizationBatchExport: logsOfBatchExport,
  pauseOrganizationBatchExport: pauseBatchExport,
  unpauseOrganizationBatchExport: unpauseBatchExport,

  healthOfProject,
  ledgerOfBatchExport,
  flagsOfLedger,
  updateLedger,
  verifyLedger,
  downloadLedger,
  receiptOfLedger,
  getReceiptKey,

  listAlertRules,
  createAlertRule,
  getAlertRule,
  updateAlertRule,
  deleteAlertRule,
  listAlertChannels,
  createAlertChannel,
  getAlertChannel,
  updateAlertChannel,
  deleteAlertChannel,
  testAlertChannel,
  deliveriesOfChannel,
  listIncidents,
  getIncident,
  acknowledgeIncident,
  muteIncident,
  deliveriesOfIncident,
  listRepairPlans,
  createRepairPlan,
  getRepairPlan,
  changeRepairPlan,
  runRepairPlan,
  stopRepairPlan,

  listBatchExports,
  createBatchExport,
  getBatchExport,
  updateBatchExport: changeBatchExport,
  replaceBatchExport: changeBatchExport,
  deleteBatchExport,
  backfillBatchExport,
  logsOfBatchExport,
  pauseBatchExport,
  unpauseBatchExport,

  overviewOfOrganizationBatchExports: overviewOfBatchExports,
  overviewOfBatchExports,
  testConnection,
  previewBatchExport,
  coverageOfBatchExport,
  batchExportsAsYaml,
  applyBatchExports,
  driftOfBatchExport,

  changesOfBatchExport,
  changesOfProject,
  revertBatchExportChange,
  downloadLogs,

  failureCauses,
  filesOfRun,

  listRuns,
  getRun,
  getStandaloneRun,
  logsOfRun,
  retryRun,
  cancelRun,

  listBackfills,
  getBackfill,
  cancelBackfill,

  listSessionRecordings,
  quickCounts,
  matchedMoments,
  filterValues,
  errorClusters,
  updateErrorClusters,
  errorMoments,
  matchingEvents,
  propertiesOfRecordings,
  bulkDeleteRecordings,
  getSessionRecording,
  updateSessionRecording,
  deleteSessionRecording,
  persistSessionRecording,
  similarSessions,
  summarizeSessionRecording,
  summaryOfSessionRecording,
  createVisitsSummary,
  getVisitsSummary,
  cancelVisitsSummary,
  rewordVisitsSummary,
  eventsOfSessionRecording,
  snapshotsOfSessionRecording,
  assetsOfSessionRecording,
  listRecordingNotes,
  createRecordingNote,
  updateRecordingNote,
  deleteRecordingNote,
  fileOfSessionRecording,
  importSessionRecording,
  getSharing,
  bulkUpdateSharing,
  updateSharing,
  refreshSharing,
  listRecordingLinks,
  createRecordingLink,
  updateRecordingLink,
  deleteRecordingLink,
  listCollectionLinks,
  createCollectionLink,
  updateCollectionLink,
  deleteCollectionLink,
  listRecordingCollections,
  createRecordingCollection,
  getRecordingCollection,
  updateRecordingCollection,
  deleteRecordingCollection,
  addOneToRecordingCollection,
  addToRecordingCollection,
  removeFromRecordingCollection,
  getRecordingSettings,
  updateRecordingSettings,
  listRecordingViews,
  createRecordingView,
  updateRecordingView,
  deleteRecordingView,
  findPersons,
  getPerson,
  visitsOfPerson,
  eventsOfPerson,
  exportsOfPerson,

  listBulkActions,
  createBulkAction,
  getBulkAction,
  cancelBulkAction,
  undoBulkAction,

  getUser,
  getCurrentApiKey,
  listPersonalApiKeys,
  createPersonalApiKey,
  deletePersonalApiKey,
  getInstance,
}
