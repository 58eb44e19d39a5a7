import { z } from 'zod'
import { PersonalApiKey } from '../accounts/api-key.ts'
import { User } from '../accounts/user.ts'
import { Instance } from '../instance.ts'
import * as run from '../runs/batch-export-run.ts'
import {
  BackfillInput,
  BatchExport,
  BatchExportCreate,
  BatchExportUpdate,
  IgnoredInput,
  NewBatchExport,
  OrganizationBatchExportCreate,
  PauseInput,
  UnpauseInput,
} from './batch-export.ts'
import { DestinationTest, DestinationTestInput } from '../destinations/destination-test.ts'
import {
  NewTestStepInput,
  PosthogSteps,
  RunTestStep,
  TestStepInput,
  TestStepsQuery,
} from './posthog-test-steps.ts'
import { FailureCauses, FailureCausesQuery, ProblemsUpdate, UpdatedProblems } from '../runs/failure-cause.ts'
import * as ledgers from '../runs/ledger.ts'
import { RunFiles } from '../runs/run-files.ts'
import { BatchExportChange } from './batch-export-change.ts'
import { AppliedExports, ApplyInput, Drift, YamlQuery } from './export-definition.ts'
import { Preview, PreviewInput } from './preview.ts'
import { TablePlan, TablePlanInput } from './table-plan.ts'
import { ProjectChange, ProjectChangeQuery } from './project-change.ts'
import { BulkAction, BulkActionDetails } from '../bulk-action.ts'
import { BulkActionInput } from '../bulk-action-input.ts'
import { Coverage, CoverageQuery } from '../runs/coverage.ts'
import { LogDownloadQuery, LogPage, LogQuery } from '../runs/log-entry.ts'
import { Overview } from './overview.ts'
import { cursorPage, offsetPage, offsetQuery } from '../page.ts'
import { Assignees } from '../triage.ts'
import type { Endpoint } from '../endpoint.ts'

const read = 'batch_export:read'
const write = 'batch_export:write'
const nothing = z.null()
const organization = 'organization_id'
const project = 'project_id'
const batchExport = 'batch_export_id'
const organizationExports = '/api/organizations/:organization_id/batch_exports/'
const projectExports = '/api/projects/:project_id/batch_exports/'
const runs = '/api/projects/:project_id/batch_exports/:batch_export_id/runs/'
const ledger = `${projectExports}:id/ledger/`
const changes = '/api/projects/:project_id/batch_export_changes/'
const backfills = '/api/projects/:project_id/batch_exports/:batch_export_id/backfills/'
const bulkActions = '/api/projects/:project_id/bulk_actions/'
const ExportList = offsetPage(BatchExport)
const ExportQuery = offsetQuery(100)
/** `signing_secret`: generated for a destination that was created without one; no other response contains it. */
const CreatedExport = BatchExport.extend({ signing_secret: z.string().optional() })
const BackfilledExport = BatchExport.extend({ backfill_id: z.string() })
const ExportLogs = BatchExport.extend(LogPage.shape)
const RetriedRun = run.BatchExportRun.extend({ backfill_id: z.string() })
const RunLogs = run.BatchExportRun.extend(LogPage.shape)
const CursorQuery = z.object({ cursor: z.string().optional() })
const Cancelled = z.object({ cancelled: z.literal(true) })

/** The endpoints of batch exports, and those that every page needs. */
// prettier-ignore
export const exportEndpoints = {
  listOrganizationBatchExports:    { method: 'GET',    path: organizationExports,                   loads: { organization },                    scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of an organization' },
  createOrganizationBatchExport:   { method: 'POST',   path: organizationExports,                   loads: { organization },                    scope: write, body: OrganizationBatchExportCreate, status: 201, response: CreatedExport, summary: 'Create a batch export in one of an organization’s projects' },
  getOrganizationBatchExport:      { method: 'GET',    path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateOrganizationBatchExport:   { method: 'PATCH',  path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Update a batch export' },
  replaceOrganizationBatchExport:  { method: 'PUT',    path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Update a batch export; every required field must be present' },
  deleteOrganizationBatchExport:   { method: 'DELETE', path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillOrganizationBatchExport: { method: 'POST',   path: `${organizationExports}:id/backfill/`, loads: { organization, batchExport: 'id' }, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfOrganizationBatchExport:   { method: 'GET',    path: `${organizationExports}:id/logs/`,     loads: { organization, batchExport: 'id' }, scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseOrganizationBatchExport:    { method: 'POST',   path: `${organizationExports}:id/pause/`,    loads: { organization, batchExport: 'id' }, scope: write, body: PauseInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseOrganizationBatchExport:  { method: 'POST',   path: `${organizationExports}:id/unpause/`,  loads: { organization, batchExport: 'id' }, scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  listBatchExports:    { method: 'GET',    path: projectExports,                   loads: { project },                    scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of a project' },
  createBatchExport:   { method: 'POST',   path: projectExports,                   loads: { project },                    scope: write, body: NewBatchExport, status: 201, response: CreatedExport, summary: 'Create a batch export' },
  getBatchExport:      { method: 'GET',    path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateBatchExport:   { method: 'PATCH',  path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Update a batch export' },
  replaceBatchExport:  { method: 'PUT',    path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Update a batch export; every required field must be present' },
  deleteBatchExport:   { method: 'DELETE', path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillBatchExport: { method: 'POST',   path: `${projectExports}:id/backfill/`, loads: { project, batchExport: 'id' }, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfBatchExport:   { method: 'GET',    path: `${projectExports}:id/logs/`,     loads: { project, batchExport: 'id' }, scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseBatchExport:    { method: 'POST',   path: `${projectExports}:id/pause/`,    loads: { project, batchExport: 'id' }, scope: write, body: PauseInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseBatchExport:  { method: 'POST',   path: `${projectExports}:id/unpause/`,  loads: { project, batchExport: 'id' }, scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  overviewOfOrganizationBatchExports: { method: 'GET', path: `${organizationExports}overview/`, loads: { organization },               scope: read, status: 200, response: Overview, summary: 'Retrieve an overview of the batch exports of an organization' },
  overviewOfBatchExports: { method: 'GET',  path: `${projectExports}overview/`,          loads: { project },                    scope: read,  status: 200, response: Overview, summary: 'Retrieve an overview of the batch exports of a project' },
  coverageOfBatchExport:  { method: 'GET',  path: `${projectExports}:id/coverage/`,      loads: { project, batchExport: 'id' }, scope: read,  query: CoverageQuery, status: 200, response: Coverage, summary: 'Retrieve the state of each window in a period' },
  downloadLogs:           { method: 'GET',  path: `${projectExports}:id/logs/download/`, loads: { project, batchExport: 'id' }, scope: read,  query: LogDownloadQuery, status: 200, response: z.string(), produces: 'text/plain', summary: 'Download the matching log lines as text, oldest first' },

  listRuns:   { method: 'GET',  path: runs,                 loads: { project, batchExport },            scope: read,  query: run.RunListQuery, status: 200, response: cursorPage(run.BatchExportRun), summary: 'List the runs of a batch export' },
  getRun:     { method: 'GET',  path: `${runs}:id/`,        loads: { project, batchExport, run: 'id' }, scope: read,  status: 200, response: run.RunWithFiles, summary: 'Retrieve a run' },
  logsOfRun:  { method: 'GET',  path: `${runs}:id/logs/`,   loads: { project, batchExport, run: 'id' }, scope: read,  query: LogQuery, status: 200, response: RunLogs, summary: 'Read the logs of a run' },
  retryRun:   { method: 'POST', path: `${runs}:id/retry/`,  loads: { project, batchExport, run: 'id' }, scope: write, body: run.RunRetryInput, status: 200, response: RetriedRun, summary: 'Retry a run: export its data interval again' },
  cancelRun:  { method: 'POST', path: `${runs}:id/cancel/`, loads: { project, batchExport, run: 'id' }, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a run' },

  getStandaloneRun: { method: 'GET', path: '/api/projects/:project_id/batch_export_runs/:id/', loads: { project, run: 'id' }, scope: read, status: 200, response: run.StandaloneRun, summary: 'Retrieve a run of any batch export of a project' },

  listBackfills:  { method: 'GET',  path: backfills,                 loads: { project, batchExport },                 scope: read,  query: CursorQuery, status: 200, response: cursorPage(run.Backfill), summary: 'List the backfills of a batch export' },
  getBackfill:    { method: 'GET',  path: `${backfills}:id/`,        loads: { project, batchExport, backfill: 'id' }, scope: read,  status: 200, response: run.Backfill, summary: 'Retrieve a backfill' },
  cancelBackfill: { method: 'POST', path: `${backfills}:id/cancel/`, loads: { project, batchExport, backfill: 'id' }, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a backfill and its remaining runs' },

  testConnection:         { method: 'POST', path: `${projectExports}test_connection/`,   loads: { project },                    scope: write, body: DestinationTestInput, status: 200, response: DestinationTest, summary: 'Test a destination by writing and removing a small file' },
  testStepsOfDestination: { method: 'GET',  path: `${projectExports}test/`,              loads: { project },                    scope: read,  query: TestStepsQuery, status: 200, response: PosthogSteps, summary: 'List the steps that test a type of destination' },
  runNewTestStep:         { method: 'POST', path: `${projectExports}run_test_step_new/`, loads: { project },                    scope: write, body: NewTestStepInput, status: 200, response: RunTestStep, summary: 'Run a step of the test of a new batch export’s destination' },
  runTestStep:            { method: 'POST', path: `${projectExports}:id/run_test_step/`, loads: { project, batchExport: 'id' }, scope: write, body: TestStepInput, status: 200, response: RunTestStep, summary: 'Run a step of the test of a batch export’s destination' },
  previewBatchExport:     { method: 'POST', path: `${projectExports}preview/`,           loads: { project },                    scope: write, body: PreviewInput, status: 200, response: Preview, summary: 'Preview the columns and sample rows that an export would write' },
  planTable:              { method: 'POST', path: `${projectExports}table_plan/`,        loads: { project },                    scope: write, body: TablePlanInput, status: 200, response: TablePlan, summary: 'Compare the columns of an export with the table that it would write to' },

  batchExportsAsYaml: { method: 'GET',  path: `${projectExports}as_yaml/`,   loads: { project },                    scope: read,  query: YamlQuery, status: 200, response: z.string(), produces: 'application/yaml', summary: 'Retrieve batch exports as a file that can be applied; variables stand for secrets' },
  applyBatchExports:  { method: 'POST', path: `${projectExports}apply/`,     loads: { project },                    scope: write, body: ApplyInput, status: 200, response: AppliedExports, summary: 'Make batch exports match definitions, by name; all changes are applied or none' },
  driftOfBatchExport: { method: 'GET',  path: `${projectExports}:id/drift/`, loads: { project, batchExport: 'id' }, scope: read,  status: 200, response: Drift, summary: 'List the settings that differ from those last applied from a file' },

  changesOfBatchExport:    { method: 'GET',  path: `${projectExports}:id/changes/`, loads: { project, batchExport: 'id' }, scope: read, query: CursorQuery, status: 200, response: cursorPage(BatchExportChange), summary: 'List the changes made to a batch export' },
  changesOfProject:        { method: 'GET',  path: changes,                 loads: { project },                          scope: read,  query: ProjectChangeQuery, status: 200, response: cursorPage(ProjectChange), summary: 'List or search the changes made to the batch exports of a project, deleted ones included, newest first' },
  revertBatchExportChange: { method: 'POST', path: `${changes}:id/revert/`, loads: { project, batchExportChange: 'id' }, scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Restore the values that a change replaced; secrets stay' },

  ledgerOfBatchExport: { method: 'GET',   path: ledger,                 loads: { project, batchExport: 'id' }, scope: read,  query: ledgers.LedgerQuery, status: 200, response: ledgers.Ledger, summary: 'List what runs wrote for each window of a period, and whether it is at the destination' },
  flagsOfLedger:       { method: 'GET',   path: `${ledger}flags/`,      loads: { project, batchExport: 'id' }, scope: read,  query: ledgers.LedgerPeriod, status: 200, response: ledgers.LedgerFlags, summary: 'List the windows of a period that need inspection, and why' },
  updateLedger:        { method: 'PATCH', path: ledger,                 loads: { project, batchExport: 'id' }, scope: write, body: ledgers.LedgerUpdate, status: 200, response: ledgers.LedgerSettings, summary: 'Choose when windows are verified without a request' },
  verifyLedger:        { method: 'POST',  path: `${ledger}verify/`,     loads: { project, batchExport: 'id' }, scope: write, body: ledgers.VerifyInput, status: 201, response: ledgers.Verification, summary: 'Read windows back from the destination, in the background' },
  downloadLedger:      { method: 'GET',   path: `${ledger}download/`,   loads: { project, batchExport: 'id' }, scope: read,  query: ledgers.LedgerPeriod, status: 200, response: z.string(), produces: 'text/csv', summary: 'Download the windows of a period as CSV, newest first' },
  receiptOfLedger:     { method: 'GET',   path: `${ledger}receipt/`,    loads: { project, batchExport: 'id' }, scope: read,  query: ledgers.LedgerPeriod, status: 200, response: ledgers.LedgerReceipt, summary: 'Retrieve a signed receipt of a period' },
  getReceiptKey:       { method: 'GET',   path: '/api/receipt_key/',    scope: null, status: 200, response: ledgers.ReceiptKey, summary: 'Retrieve the public key that checks the receipts of this installation' },

  filesOfRun: { method: 'GET', path: '/api/projects/:project_id/batch_export_runs/:id/files/', loads: { project, run: 'id' }, scope: read, query: offsetQuery(100), status: 200, response: RunFiles, summary: 'List the files that a run wrote, with their sizes, and paths that download those on the service’s disk' },
  failureCauses: { method: 'GET', path: `${projectExports}failure_causes/`, loads: { project }, scope: read, query: FailureCausesQuery, status: 200, response: FailureCauses, summary: 'List the causes of failed runs in a period, with advice and the affected exports' },
  updateProblems:   { method: 'PATCH', path: `${projectExports}failure_causes/`, loads: { project }, scope: write, body: ProblemsUpdate, status: 200, response: UpdatedProblems, summary: 'Assign, ignore or reopen causes of failed runs' },
  problemAssignees: { method: 'GET', path: `${projectExports}failure_causes/assignees/`, loads: { project }, scope: read, status: 200, response: Assignees, summary: 'List the members to whom causes of failed runs can be assigned' },

  // Each action requires its own scope, which the handlers check.
  listBulkActions:  { method: 'GET',  path: bulkActions,                   loads: { project },                   scope: null, query: CursorQuery, status: 200, response: cursorPage(BulkAction), summary: 'List the bulk actions of a project, newest first' },
  createBulkAction: { method: 'POST', path: bulkActions,                   loads: { project },                   scope: null, body: BulkActionInput, status: 201, response: BulkAction, summary: 'Start an action on many objects, by their ids or a filter' },
  getBulkAction:    { method: 'GET',  path: `${bulkActions}:id/`,          loads: { project, bulkAction: 'id' }, scope: null, status: 200, response: BulkActionDetails, summary: 'Retrieve the progress of a bulk action, with its first failures' },
  cancelBulkAction: { method: 'POST', path: `${bulkActions}:id/cancel/`,   loads: { project, bulkAction: 'id' }, scope: null, body: IgnoredInput, status: 200, response: BulkAction, summary: 'Cancel a bulk action; what it has done so far stays' },
  undoBulkAction:   { method: 'POST', path: `${bulkActions}:id/undo/`,     loads: { project, bulkAction: 'id' }, scope: null, body: IgnoredInput, status: 200, response: BulkAction, summary: 'Stop a bulk action and undo what it has done' },

  getUser:              { method: 'GET',    path: '/api/users/@me/',                       scope: null, status: 200, response: User, summary: 'Retrieve the user who owns the key' },
  getCurrentApiKey:     { method: 'GET',    path: '/api/personal_api_keys/@current/',      scope: null, status: 200, response: PersonalApiKey, summary: 'Retrieve the key that the request uses' },
  getInstance:          { method: 'GET',    path: '/api/instance/',                        scope: null, status: 200, response: Instance, summary: 'Retrieve the features and settings of this installation' },
} as const satisfies Record<string, Endpoint>
