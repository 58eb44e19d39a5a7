import { z } from 'zod'
import { CreatedPersonalApiKey, Instance, PersonalApiKey, PersonalApiKeyCreate, User } from './api-key.ts'
import { BatchExportChange } from './batch-export-change.ts'
import {
  Backfill,
  BatchExportRun,
  RetriedRuns,
  RunListQuery,
  RunRetryInput,
  RunWithFiles,
  StandaloneRun,
} from './batch-export-run.ts'
import {
  BackfillInput,
  BatchExport,
  BatchExportCreate,
  BatchExportUpdate,
  IgnoredInput,
  NewBatchExport,
  OrganizationBatchExportCreate,
  UnpauseInput,
} from './batch-export.ts'
import { BulkAction, BulkActionDetails, BulkActionInput } from './bulk-action.ts'
import { ConnectionTest, ConnectionTestInput } from './connection-test.ts'
import { Coverage, CoverageQuery } from './coverage.ts'
import { LogDownloadQuery, LogPage, LogQuery } from './log-entry.ts'
import { Overview } from './overview.ts'
import { cursorPage, offsetPage, offsetQuery } from './page.ts'
import { Preview, PreviewInput } from './preview.ts'
import { MatchingEventsQuery, PropertiesQuery, RecordingListQuery } from './recording-filter.ts'
import { RecordingSettings, RecordingSettingsUpdate } from './recording-settings.ts'
import { SummarizedRecording } from './recording-summary.ts'
import { RecordedAssets } from './recorded-asset.ts'
import type { Scope } from './scopes.ts'
import {
  BulkDelete,
  BulkDeleted,
  ErrorClusters,
  MatchingEvents,
  PersistedRecording,
  RecordingEvents,
  RecordingInput,
  RecordingProperties,
  RecordingUpdate,
  SessionRecording,
  SessionRecordingList,
  SharedRecording,
  SimilarSessions,
} from './session-recording.ts'
import { OpenedLink, SharingConfiguration, SharingQuery, SharingUpdate } from './sharing.ts'
import { SnapshotQuery, SnapshotSources } from './snapshot.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Objects that a path parameter can identify. A link is identified by its token. */
export type PathObject =
  | 'project'
  | 'organization'
  | 'batchExport'
  | 'run'
  | 'backfill'
  | 'recording'
  | 'apiKey'
  | 'bulkAction'
  | 'link'

/** One endpoint of the API. */
export type Endpoint = {
  method: Method
  path: string
  /** The objects that the path names, each with the parameter that contains its id. They are loaded before the handler runs. */
  loads?: Partial<Record<PathObject, string>>
  /** null: any valid key has access. */
  scope: Scope | null
  query?: z.ZodType
  /** Schema of the JSON body; an absent body is read as `{}`. */
  body?: z.ZodType
  /** Status on success; 204 has no body. */
  status: 200 | 201 | 204
  response: z.ZodType
  /** Media type of a text response. If `response` is not a string, the endpoint returns either this type or JSON. */
  produces?: 'text/plain' | 'application/jsonl'
  /** Response to callers with a link's token instead of a key: in the path, or as `sharing_access_token` in the query. */
  byLink?: z.ZodType
  summary: string
}

const read = 'batch_export:read'
const write = 'batch_export:write'
const nothing = z.null()

const organization = 'organization_id'
const project = 'project_id'
const batchExport = 'batch_export_id'
const recording = 'recording_id'

const organizationExports = '/api/organizations/:organization_id/batch_exports/'
const projectExports = '/api/projects/:project_id/batch_exports/'
const runs = '/api/projects/:project_id/batch_exports/:batch_export_id/runs/'
const backfills = '/api/projects/:project_id/batch_exports/:batch_export_id/backfills/'

const readRecordings = 'session_recording:read'
const writeRecordings = 'session_recording:write'
const readSharing = 'sharing_configuration:read'
const writeSharing = 'sharing_configuration:write'
const recordings = '/api/projects/:project_id/session_recordings/'
const recordingSettings = '/api/projects/:project_id/recording_settings/'
const bulkActions = '/api/projects/:project_id/bulk_actions/'
const sharing = '/api/projects/:project_id/session_recordings/:recording_id/sharing/'

const ExportList = offsetPage(BatchExport)
const ExportQuery = offsetQuery(100)
const BackfilledExport = BatchExport.extend({ backfill_id: z.string() })
const ExportLogs = BatchExport.extend(LogPage.shape)
const RunList = cursorPage(BatchExportRun)
const RetriedRun = BatchExportRun.extend({ backfill_id: z.string() })
const RunLogs = BatchExportRun.extend(LogPage.shape)
const BackfillList = cursorPage(Backfill)
const ChangeList = cursorPage(BatchExportChange)
const BulkActionList = cursorPage(BulkAction)
const CursorQuery = z.object({ cursor: z.string().optional() })
const Cancelled = z.object({ cancelled: z.literal(true) })
const Succeeded = z.object({ success: z.literal(true) })

/** Every endpoint of the API. The typed client, the handlers and `/api/schema/` are derived from this table. */
// prettier-ignore
export const endpoints = {
  listOrganizationBatchExports:    { method: 'GET',    path: organizationExports,                   loads: { organization },                    scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of an organization' },
  createOrganizationBatchExport:   { method: 'POST',   path: organizationExports,                   loads: { organization },                    scope: write, body: OrganizationBatchExportCreate, status: 201, response: BatchExport, summary: 'Create a batch export in one of an organization’s projects' },
  getOrganizationBatchExport:      { method: 'GET',    path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateOrganizationBatchExport:   { method: 'PATCH',  path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Update a batch export' },
  replaceOrganizationBatchExport:  { method: 'PUT',    path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Update a batch export; every required field must be present' },
  deleteOrganizationBatchExport:   { method: 'DELETE', path: `${organizationExports}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillOrganizationBatchExport: { method: 'POST',   path: `${organizationExports}:id/backfill/`, loads: { organization, batchExport: 'id' }, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfOrganizationBatchExport:   { method: 'GET',    path: `${organizationExports}:id/logs/`,     loads: { organization, batchExport: 'id' }, scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseOrganizationBatchExport:    { method: 'POST',   path: `${organizationExports}:id/pause/`,    loads: { organization, batchExport: 'id' }, scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseOrganizationBatchExport:  { method: 'POST',   path: `${organizationExports}:id/unpause/`,  loads: { organization, batchExport: 'id' }, scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  listBatchExports:    { method: 'GET',    path: projectExports,                   loads: { project },                    scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of a project' },
  createBatchExport:   { method: 'POST',   path: projectExports,                   loads: { project },                    scope: write, body: NewBatchExport, status: 201, response: BatchExport, summary: 'Create a batch export' },
  getBatchExport:      { method: 'GET',    path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateBatchExport:   { method: 'PATCH',  path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Update a batch export' },
  replaceBatchExport:  { method: 'PUT',    path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Update a batch export; every required field must be present' },
  deleteBatchExport:   { method: 'DELETE', path: `${projectExports}:id/`,          loads: { project, batchExport: 'id' }, scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillBatchExport: { method: 'POST',   path: `${projectExports}:id/backfill/`, loads: { project, batchExport: 'id' }, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfBatchExport:   { method: 'GET',    path: `${projectExports}:id/logs/`,     loads: { project, batchExport: 'id' }, scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseBatchExport:    { method: 'POST',   path: `${projectExports}:id/pause/`,    loads: { project, batchExport: 'id' }, scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseBatchExport:  { method: 'POST',   path: `${projectExports}:id/unpause/`,  loads: { project, batchExport: 'id' }, scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  overviewOfOrganizationBatchExports: { method: 'GET', path: `${organizationExports}overview/`, loads: { organization },               scope: read, status: 200, response: Overview, summary: 'Retrieve an overview of the batch exports of an organization' },
  overviewOfBatchExports: { method: 'GET',  path: `${projectExports}overview/`,          loads: { project },                    scope: read,  status: 200, response: Overview, summary: 'Retrieve an overview of the batch exports of a project' },
  testConnection:         { method: 'POST', path: `${projectExports}test_connection/`,   loads: { project },                    scope: write, body: ConnectionTestInput, status: 200, response: ConnectionTest, summary: 'Test a destination by writing and removing a small file' },
  previewBatchExport:     { method: 'POST', path: `${projectExports}preview/`,           loads: { project },                    scope: write, body: PreviewInput, status: 200, response: Preview, summary: 'Preview the columns and sample rows that an export would write' },
  coverageOfBatchExport:  { method: 'GET',  path: `${projectExports}:id/coverage/`,      loads: { project, batchExport: 'id' }, scope: read,  query: CoverageQuery, status: 200, response: Coverage, summary: 'Retrieve the state of each window in a period' },
  changesOfBatchExport:   { method: 'GET',  path: `${projectExports}:id/changes/`,       loads: { project, batchExport: 'id' }, scope: read,  query: CursorQuery, status: 200, response: ChangeList, summary: 'List the changes made to a batch export' },
  downloadLogs:           { method: 'GET',  path: `${projectExports}:id/logs/download/`, loads: { project, batchExport: 'id' }, scope: read,  query: LogDownloadQuery, status: 200, response: z.string(), produces: 'text/plain', summary: 'Download the matching log lines as text, oldest first' },
  retryFailedRuns:        { method: 'POST', path: `${projectExports}:id/retry_failed/`,  loads: { project, batchExport: 'id' }, scope: write, body: IgnoredInput, status: 200, response: RetriedRuns, summary: 'Retry every failed data interval that has not been exported since' },

  listRuns:   { method: 'GET',  path: runs,                 loads: { project, batchExport },            scope: read,  query: RunListQuery, status: 200, response: RunList, summary: 'List the runs of a batch export' },
  getRun:     { method: 'GET',  path: `${runs}:id/`,        loads: { project, batchExport, run: 'id' }, scope: read,  status: 200, response: RunWithFiles, summary: 'Retrieve a run' },
  logsOfRun:  { method: 'GET',  path: `${runs}:id/logs/`,   loads: { project, batchExport, run: 'id' }, scope: read,  query: LogQuery, status: 200, response: RunLogs, summary: 'Read the logs of a run' },
  retryRun:   { method: 'POST', path: `${runs}:id/retry/`,  loads: { project, batchExport, run: 'id' }, scope: write, body: RunRetryInput, status: 200, response: RetriedRun, summary: 'Retry a run: export its data interval again' },
  cancelRun:  { method: 'POST', path: `${runs}:id/cancel/`, loads: { project, batchExport, run: 'id' }, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a run' },

  getStandaloneRun: { method: 'GET', path: '/api/projects/:project_id/batch_export_runs/:id/', loads: { project, run: 'id' }, scope: read, status: 200, response: StandaloneRun, summary: 'Retrieve a run of any batch export of a project' },

  listBackfills:  { method: 'GET',  path: backfills,                 loads: { project, batchExport },                 scope: read,  query: CursorQuery, status: 200, response: BackfillList, summary: 'List the backfills of a batch export' },
  getBackfill:    { method: 'GET',  path: `${backfills}:id/`,        loads: { project, batchExport, backfill: 'id' }, scope: read,  status: 200, response: Backfill, summary: 'Retrieve a backfill' },
  cancelBackfill: { method: 'POST', path: `${backfills}:id/cancel/`, loads: { project, batchExport, backfill: 'id' }, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a backfill and its remaining runs' },

  listSessionRecordings:      { method: 'GET',    path: recordings,                   loads: { project },                  scope: readRecordings,  query: RecordingListQuery, status: 200, response: SessionRecordingList, summary: 'List the session recordings of a project' },
  errorClusters:              { method: 'GET',    path: `${recordings}error_clusters/`,  loads: { project },                  scope: readRecordings,  status: 200, response: ErrorClusters, summary: 'Group console errors and exceptions with similar messages' },
  matchingEvents:             { method: 'GET',    path: `${recordings}matching_events/`, loads: { project },                  scope: readRecordings,  query: MatchingEventsQuery, status: 200, response: MatchingEvents, summary: 'List the events of one session that match a filter. For internal use: may change incompatibly without announcement' },
  propertiesOfRecordings:     { method: 'GET',    path: `${recordings}properties/`,      loads: { project },                  scope: readRecordings,  query: PropertiesQuery, status: 200, response: RecordingProperties, summary: 'List the visitor properties of several recordings' },
  bulkDeleteRecordings:       { method: 'POST',   path: `${recordings}bulk_delete/`,     loads: { project },                  scope: writeRecordings, body: BulkDelete, status: 200, response: BulkDeleted, summary: 'Delete several session recordings' },
  getSessionRecording:        { method: 'GET',    path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: readRecordings,  query: SharingQuery, status: 200, response: SessionRecording, byLink: SharedRecording, summary: 'Retrieve a session recording' },
  updateSessionRecording:     { method: 'PATCH',  path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: writeRecordings, body: RecordingUpdate, status: 200, response: Succeeded, summary: 'Mark a session recording as watched or not watched' },
  deleteSessionRecording:     { method: 'DELETE', path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a session recording and its snapshots' },
  persistSessionRecording:    { method: 'POST',   path: `${recordings}:id/persist/`,     loads: { project, recording: 'id' }, scope: writeRecordings, body: RecordingInput, status: 200, response: PersistedRecording, summary: 'Keep a session recording past the retention period' },
  similarSessions:            { method: 'GET',    path: `${recordings}:id/similar_sessions/`, loads: { project, recording: 'id' }, scope: readRecordings, status: 200, response: SimilarSessions, summary: 'List sessions with similar paths, most similar first' },
  summarizeSessionRecording:  { method: 'POST',   path: `${recordings}:id/summarize/`,   loads: { project, recording: 'id' }, scope: readRecordings,  body: RecordingInput, status: 200, response: SummarizedRecording, summary: 'Summarize what happened in a session' },
  eventsOfSessionRecording:   { method: 'GET',    path: `${recordings}:id/events/`,      loads: { project, recording: 'id' }, scope: readRecordings,  status: 200, response: RecordingEvents, summary: 'List the events captured during a session' },
  snapshotsOfSessionRecording: { method: 'GET',   path: `${recordings}:id/snapshots/`,   loads: { project, recording: 'id' }, scope: readRecordings,  query: SnapshotQuery, status: 200, response: SnapshotSources, produces: 'application/jsonl', byLink: SnapshotSources, summary: 'List the blocks of a recording or, with source=blob_v2, return their events as JSON lines' },
  assetsOfSessionRecording:   { method: 'GET',    path: `${recordings}:id/assets/`,      loads: { project, recording: 'id' }, scope: readRecordings,  query: SharingQuery, status: 200, response: RecordedAssets, byLink: RecordedAssets, summary: 'List the files that a recording shows but does not hold, such as images, with the paths of the stored copies' },
  getSharing:                 { method: 'GET',    path: sharing,                         loads: { project, recording },       scope: readSharing,     status: 200, response: SharingConfiguration, summary: 'Retrieve the sharing configuration of a session recording' },
  updateSharing:              { method: 'PATCH',  path: sharing,                         loads: { project, recording },       scope: writeSharing,    body: SharingUpdate, status: 200, response: SharingConfiguration, summary: 'Update the sharing configuration of a session recording' },
  refreshSharing:             { method: 'POST',   path: `${sharing}refresh/`,            loads: { project, recording },       scope: writeSharing,    body: IgnoredInput, status: 200, response: SharingConfiguration, summary: 'Create a new link; the old one stops working' },
  openLink:                   { method: 'GET',    path: '/api/shared/:access_token/',    loads: { link: 'access_token' },     scope: null,             status: 200, response: OpenedLink, byLink: OpenedLink, summary: 'Open a shared recording by its link; counts as a view' },

  getRecordingSettings:       { method: 'GET',    path: recordingSettings,               loads: { project },                  scope: readRecordings,  status: 200, response: RecordingSettings, summary: 'Retrieve what posthog-js records on a project’s sites' },
  updateRecordingSettings:    { method: 'PATCH',  path: recordingSettings,               loads: { project },                  scope: writeRecordings, body: RecordingSettingsUpdate, status: 200, response: RecordingSettings, summary: 'Change what posthog-js records on a project’s sites' },

  // Each action requires its own scope, which the handlers check.
  listBulkActions:  { method: 'GET',  path: bulkActions,                   loads: { project },                   scope: null, query: CursorQuery, status: 200, response: BulkActionList, summary: 'List the bulk actions of a project, newest first' },
  createBulkAction: { method: 'POST', path: bulkActions,                   loads: { project },                   scope: null, body: BulkActionInput, status: 201, response: BulkAction, summary: 'Start an action on many objects, by their ids or a filter' },
  getBulkAction:    { method: 'GET',  path: `${bulkActions}:id/`,          loads: { project, bulkAction: 'id' }, scope: null, status: 200, response: BulkActionDetails, summary: 'Retrieve the progress of a bulk action, with its first failures' },
  cancelBulkAction: { method: 'POST', path: `${bulkActions}:id/cancel/`,   loads: { project, bulkAction: 'id' }, scope: null, body: IgnoredInput, status: 200, response: BulkAction, summary: 'Cancel a bulk action; what it has done so far stays' },
  undoBulkAction:   { method: 'POST', path: `${bulkActions}:id/undo/`,     loads: { project, bulkAction: 'id' }, scope: null, body: IgnoredInput, status: 200, response: BulkAction, summary: 'Stop a bulk action and undo what it has done' },

  getUser:              { method: 'GET',    path: '/api/users/@me/',                       scope: null, status: 200, response: User, summary: 'Retrieve the user who owns the key' },
  getCurrentApiKey:     { method: 'GET',    path: '/api/personal_api_keys/@current/',      scope: null, status: 200, response: PersonalApiKey, summary: 'Retrieve the key that the request uses' },
  listPersonalApiKeys:  { method: 'GET',    path: '/api/personal_api_keys/',               scope: 'personal_api_key:read', status: 200, response: z.array(PersonalApiKey), summary: 'List the keys of the user' },
  createPersonalApiKey: { method: 'POST',   path: '/api/personal_api_keys/',               scope: 'personal_api_key:write', body: PersonalApiKeyCreate, status: 201, response: CreatedPersonalApiKey, summary: 'Create a key' },
  deletePersonalApiKey: { method: 'DELETE', path: '/api/personal_api_keys/:id/',           loads: { apiKey: 'id' }, scope: 'personal_api_key:write', status: 204, response: nothing, summary: 'Revoke a key' },
  getInstance:          { method: 'GET',    path: '/api/instance/',                        scope: null, status: 200, response: Instance, summary: 'Retrieve the features and settings of this installation' },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type ParamName<Name extends EndpointName> = ParamNames<(typeof endpoints)[Name]['path']>

// Fails to compile if `loads` names a parameter that the path does not have.
endpoints satisfies {
  [Name in EndpointName]: { path: string; loads?: Partial<Record<PathObject, ParamName<Name>>> }
}

export type PathParams<Name extends EndpointName> = { [Param in ParamName<Name>]: string }
/** The objects that an endpoint's path names. */
export type LoadedBy<Name extends EndpointName> = (typeof endpoints)[Name] extends { loads: infer Loads }
  ? keyof Loads
  : never

/** Endpoints that accept a key: all except those that load a link. */
export type KeyEndpointName = {
  [Name in EndpointName]: 'link' extends LoadedBy<Name> ? never : Name
}[EndpointName]
/** Endpoints that accept a link's token. */
export type LinkEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { byLink: z.ZodType } ? Name : never
}[EndpointName]

type Part<Name extends EndpointName, Key extends 'query' | 'body'> =
  (typeof endpoints)[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : z.ZodUnknown

/** Query and body as a client sends them. */
export type QueryInput<Name extends EndpointName> = z.input<Part<Name, 'query'>>
export type BodyInput<Name extends EndpointName> = z.input<Part<Name, 'body'>>
/** Query and body as a handler receives them. */
export type QueryOf<Name extends EndpointName> = z.output<Part<Name, 'query'>>
export type BodyOf<Name extends EndpointName> = z.output<Part<Name, 'body'>>
export type ResponseOf<Name extends EndpointName> = z.output<(typeof endpoints)[Name]['response']>
export type LinkResponseOf<Name extends LinkEndpointName> = z.output<(typeof endpoints)[Name]['byLink']>
