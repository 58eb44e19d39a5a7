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
import { ConnectionTest, ConnectionTestInput } from './connection-test.ts'
import { Coverage, CoverageQuery } from './coverage.ts'
import { LogDownloadQuery, LogPage, LogQuery } from './log-entry.ts'
import { Overview } from './overview.ts'
import { cursorPage, offsetPage, offsetQuery } from './page.ts'
import { Preview, PreviewInput } from './preview.ts'
import { MatchingEventsQuery, PropertiesQuery, RecordingListQuery } from './recording-filter.ts'
import { SummarizedRecording } from './recording-summary.ts'
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

/**
 * One endpoint. `scope` null: any valid key. `body`: its schema, read from JSON; an absent body is `{}`.
 * `status` is the answer's on success; 204 has no body. `produces`: the answer is a text of this type, or may be
 * beside the JSON where `response` is no string. `byLink`: what it answers to whoever has, instead of a key, the token of
 * a link to a recording: in the path, or in the query as `sharing_access_token`.
 */
export type Endpoint = {
  method: Method
  path: string
  scope: Scope | null
  query?: z.ZodType
  body?: z.ZodType
  status: 200 | 201 | 204
  response: z.ZodType
  produces?: 'text/plain' | 'application/jsonl'
  byLink?: z.ZodType
  summary: string
}

const read = 'batch_export:read'
const write = 'batch_export:write'
const nothing = z.null()

const ofOrganization = '/api/organizations/:organization_id/batch_exports/'
const ofProject = '/api/projects/:project_id/batch_exports/'
const runs = '/api/projects/:project_id/batch_exports/:batch_export_id/runs/'
const backfills = '/api/projects/:project_id/batch_exports/:batch_export_id/backfills/'

const readRecordings = 'session_recording:read'
const writeRecordings = 'session_recording:write'
const readSharing = 'sharing_configuration:read'
const writeSharing = 'sharing_configuration:write'
const recordings = '/api/projects/:project_id/session_recordings/'
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
const CursorQuery = z.object({ cursor: z.string().optional() })
const Cancelled = z.object({ cancelled: z.literal(true) })
const Succeeded = z.object({ success: z.literal(true) })

/** THE table: every endpoint of the API. The typed client, the handlers and `/api/schema/` are derived from it. */
// prettier-ignore
export const endpoints = {
  listOrganizationBatchExports:    { method: 'GET',    path: ofOrganization,                   scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of an organization' },
  createOrganizationBatchExport:   { method: 'POST',   path: ofOrganization,                   scope: write, body: OrganizationBatchExportCreate, status: 201, response: BatchExport, summary: 'Create a batch export in one of an organization’s projects' },
  getOrganizationBatchExport:      { method: 'GET',    path: `${ofOrganization}:id/`,          scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateOrganizationBatchExport:   { method: 'PATCH',  path: `${ofOrganization}:id/`,          scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Change a batch export' },
  replaceOrganizationBatchExport:  { method: 'PUT',    path: `${ofOrganization}:id/`,          scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Change a batch export, all required fields given' },
  deleteOrganizationBatchExport:   { method: 'DELETE', path: `${ofOrganization}:id/`,          scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillOrganizationBatchExport: { method: 'POST',   path: `${ofOrganization}:id/backfill/`, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfOrganizationBatchExport:   { method: 'GET',    path: `${ofOrganization}:id/logs/`,     scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseOrganizationBatchExport:    { method: 'POST',   path: `${ofOrganization}:id/pause/`,    scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseOrganizationBatchExport:  { method: 'POST',   path: `${ofOrganization}:id/unpause/`,  scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  listBatchExports:    { method: 'GET',    path: ofProject,                   scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of a project' },
  createBatchExport:   { method: 'POST',   path: ofProject,                   scope: write, body: NewBatchExport, status: 201, response: BatchExport, summary: 'Create a batch export' },
  getBatchExport:      { method: 'GET',    path: `${ofProject}:id/`,          scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateBatchExport:   { method: 'PATCH',  path: `${ofProject}:id/`,          scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Change a batch export' },
  replaceBatchExport:  { method: 'PUT',    path: `${ofProject}:id/`,          scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Change a batch export, all required fields given' },
  deleteBatchExport:   { method: 'DELETE', path: `${ofProject}:id/`,          scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillBatchExport: { method: 'POST',   path: `${ofProject}:id/backfill/`, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfBatchExport:   { method: 'GET',    path: `${ofProject}:id/logs/`,     scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseBatchExport:    { method: 'POST',   path: `${ofProject}:id/pause/`,    scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseBatchExport:  { method: 'POST',   path: `${ofProject}:id/unpause/`,  scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  overviewOfOrganizationBatchExports: { method: 'GET', path: `${ofOrganization}overview/`, scope: read, status: 200, response: Overview, summary: 'How all batch exports of an organization do' },
  overviewOfBatchExports: { method: 'GET',  path: `${ofProject}overview/`,          scope: read,  status: 200, response: Overview, summary: 'How all batch exports of a project do' },
  testConnection:         { method: 'POST', path: `${ofProject}test_connection/`,   scope: write, body: ConnectionTestInput, status: 200, response: ConnectionTest, summary: 'Try a destination: writes and removes a tiny file' },
  previewBatchExport:     { method: 'POST', path: `${ofProject}preview/`,           scope: write, body: PreviewInput, status: 200, response: Preview, summary: 'Columns and sample rows of what an export would write' },
  coverageOfBatchExport:  { method: 'GET',  path: `${ofProject}:id/coverage/`,      scope: read,  query: CoverageQuery, status: 200, response: Coverage, summary: 'What became of each window of a period' },
  changesOfBatchExport:   { method: 'GET',  path: `${ofProject}:id/changes/`,       scope: read,  query: CursorQuery, status: 200, response: ChangeList, summary: 'What was changed in a batch export, when and by whom' },
  downloadLogs:           { method: 'GET',  path: `${ofProject}:id/logs/download/`, scope: read,  query: LogDownloadQuery, status: 200, response: z.string(), produces: 'text/plain', summary: 'The log lines that match as a text, oldest first' },
  retryFailedRuns:        { method: 'POST', path: `${ofProject}:id/retry_failed/`,  scope: write, body: IgnoredInput, status: 200, response: RetriedRuns, summary: 'Run every data interval again that has failed and not been exported since' },

  listRuns:   { method: 'GET',  path: runs,                 scope: read,  query: RunListQuery, status: 200, response: RunList, summary: 'List the runs of a batch export' },
  getRun:     { method: 'GET',  path: `${runs}:id/`,        scope: read,  status: 200, response: RunWithFiles, summary: 'Retrieve a run' },
  logsOfRun:  { method: 'GET',  path: `${runs}:id/logs/`,   scope: read,  query: LogQuery, status: 200, response: RunLogs, summary: 'Read the logs of a run' },
  retryRun:   { method: 'POST', path: `${runs}:id/retry/`,  scope: write, body: RunRetryInput, status: 200, response: RetriedRun, summary: 'Run a data interval again' },
  cancelRun:  { method: 'POST', path: `${runs}:id/cancel/`, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a run' },

  getStandaloneRun: { method: 'GET', path: '/api/projects/:project_id/batch_export_runs/:id/', scope: read, status: 200, response: StandaloneRun, summary: 'Retrieve a run of any batch export of a project' },

  listBackfills:  { method: 'GET',  path: backfills,                 scope: read,  query: CursorQuery, status: 200, response: BackfillList, summary: 'List the backfills of a batch export' },
  getBackfill:    { method: 'GET',  path: `${backfills}:id/`,        scope: read,  status: 200, response: Backfill, summary: 'Retrieve a backfill' },
  cancelBackfill: { method: 'POST', path: `${backfills}:id/cancel/`, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a backfill and the runs it has left' },

  listSessionRecordings:      { method: 'GET',    path: recordings,                   scope: readRecordings,  query: RecordingListQuery, status: 200, response: SessionRecordingList, summary: 'List the session recordings of a project' },
  errorClusters:              { method: 'GET',    path: `${recordings}error_clusters/`,  scope: readRecordings,  status: 200, response: ErrorClusters, summary: 'Group console errors and exceptions by what their messages have in common' },
  matchingEvents:             { method: 'GET',    path: `${recordings}matching_events/`, scope: readRecordings,  query: MatchingEventsQuery, status: 200, response: MatchingEvents, summary: 'The events of one session that match a filter. For internal use: it may change incompatibly without announcement' },
  propertiesOfRecordings:     { method: 'GET',    path: `${recordings}properties/`,      scope: readRecordings,  query: PropertiesQuery, status: 200, response: RecordingProperties, summary: 'Properties of the sessions of several recordings' },
  bulkDeleteRecordings:       { method: 'POST',   path: `${recordings}bulk_delete/`,     scope: writeRecordings, body: BulkDelete, status: 200, response: BulkDeleted, summary: 'Delete several session recordings' },
  getSessionRecording:        { method: 'GET',    path: `${recordings}:id/`,             scope: readRecordings,  query: SharingQuery, status: 200, response: SessionRecording, byLink: SharedRecording, summary: 'Retrieve a session recording' },
  updateSessionRecording:     { method: 'PATCH',  path: `${recordings}:id/`,             scope: writeRecordings, body: RecordingUpdate, status: 200, response: Succeeded, summary: 'Mark a session recording as watched' },
  deleteSessionRecording:     { method: 'DELETE', path: `${recordings}:id/`,             scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a session recording and its snapshots' },
  persistSessionRecording:    { method: 'POST',   path: `${recordings}:id/persist/`,     scope: writeRecordings, body: RecordingInput, status: 200, response: PersistedRecording, summary: 'Keep a session recording past the retention' },
  similarSessions:            { method: 'GET',    path: `${recordings}:id/similar_sessions/`, scope: readRecordings, status: 200, response: SimilarSessions, summary: 'Sessions that went the same way, nearest first' },
  summarizeSessionRecording:  { method: 'POST',   path: `${recordings}:id/summarize/`,   scope: readRecordings,  body: RecordingInput, status: 200, response: SummarizedRecording, summary: 'Say in words what happened in a session' },
  eventsOfSessionRecording:   { method: 'GET',    path: `${recordings}:id/events/`,      scope: readRecordings,  status: 200, response: RecordingEvents, summary: 'The events that were captured during a session' },
  snapshotsOfSessionRecording: { method: 'GET',   path: `${recordings}:id/snapshots/`,   scope: readRecordings,  query: SnapshotQuery, status: 200, response: SnapshotSources, produces: 'application/jsonl', byLink: SnapshotSources, summary: 'The blocks of a recording, or with source=blob_v2 their events as JSON lines' },
  getSharing:                 { method: 'GET',    path: sharing,                         scope: readSharing,     status: 200, response: SharingConfiguration, summary: 'How a session recording is shared' },
  updateSharing:              { method: 'PATCH',  path: sharing,                         scope: writeSharing,    body: SharingUpdate, status: 200, response: SharingConfiguration, summary: 'Share a session recording by a link, or stop it' },
  refreshSharing:             { method: 'POST',   path: `${sharing}refresh/`,            scope: writeSharing,    body: IgnoredInput, status: 200, response: SharingConfiguration, summary: 'Make a new link; the old one opens nothing any more' },
  openLink:                   { method: 'GET',    path: '/api/shared/:access_token/',    scope: null,             status: 200, response: OpenedLink, byLink: OpenedLink, summary: 'What the link to a shared recording opens; counts as a view' },

  getUser:              { method: 'GET',    path: '/api/users/@me/',                       scope: null, status: 200, response: User, summary: 'The user behind the key' },
  getCurrentApiKey:     { method: 'GET',    path: '/api/personal_api_keys/@current/',      scope: null, status: 200, response: PersonalApiKey, summary: 'The key itself' },
  listPersonalApiKeys:  { method: 'GET',    path: '/api/personal_api_keys/',               scope: 'personal_api_key:read', status: 200, response: z.array(PersonalApiKey), summary: 'List the keys of the user' },
  createPersonalApiKey: { method: 'POST',   path: '/api/personal_api_keys/',               scope: 'personal_api_key:write', body: PersonalApiKeyCreate, status: 201, response: CreatedPersonalApiKey, summary: 'Create a key' },
  deletePersonalApiKey: { method: 'DELETE', path: '/api/personal_api_keys/:id/',           scope: 'personal_api_key:write', status: 204, response: nothing, summary: 'Revoke a key' },
  getInstance:          { method: 'GET',    path: '/api/instance/',                        scope: null, status: 200, response: Instance, summary: 'What this installation offers' },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

/** Endpoints that answer by a key; those whose path holds a link's token want none. */
export type KeyEndpointName = {
  [Name in EndpointName]: 'access_token' extends keyof PathParams<Name> ? never : Name
}[EndpointName]
/** Endpoints that answer by a link. */
export type LinkEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { byLink: z.ZodType } ? Name : never
}[EndpointName]

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

export type PathParams<Name extends EndpointName> = {
  [Param in ParamNames<(typeof endpoints)[Name]['path']>]: string
}

type Part<Name extends EndpointName, Key extends 'query' | 'body'> =
  (typeof endpoints)[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : z.ZodUnknown

/** Query and body as a client gives them. */
export type QueryInput<Name extends EndpointName> = z.input<Part<Name, 'query'>>
export type BodyInput<Name extends EndpointName> = z.input<Part<Name, 'body'>>
/** Query and body as a handler gets them. */
export type QueryOf<Name extends EndpointName> = z.output<Part<Name, 'query'>>
export type BodyOf<Name extends EndpointName> = z.output<Part<Name, 'body'>>
export type ResponseOf<Name extends EndpointName> = z.output<(typeof endpoints)[Name]['response']>
export type LinkResponseOf<Name extends LinkEndpointName> = z.output<(typeof endpoints)[Name]['byLink']>
