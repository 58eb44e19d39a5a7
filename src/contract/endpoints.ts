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

/** What a parameter of a path may name. A link is named by its token. */
export type PathObject =
  | 'project'
  | 'organization'
  | 'batchExport'
  | 'run'
  | 'backfill'
  | 'recording'
  | 'apiKey'
  | 'link'

/**
 * One endpoint. `loads`: the objects that the path names, each with the parameter that holds its id; they are found before
 * the handler runs. `scope` null: any valid key. `body`: its schema, read from JSON; an absent body is `{}`.
 * `status` is the answer's on success; 204 has no body. `produces`: the answer is a text of this type, or may be
 * beside the JSON where `response` is no string. `byLink`: what it answers to whoever has, instead of a key, the token of
 * a link to a recording: in the path, or in the query as `sharing_access_token`.
 */
export type Endpoint = {
  method: Method
  path: string
  loads?: Partial<Record<PathObject, string>>
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

const organization = 'organization_id'
const project = 'project_id'
const batchExport = 'batch_export_id'
const recording = 'recording_id'

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
  listOrganizationBatchExports:    { method: 'GET',    path: ofOrganization,                   loads: { organization },                    scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of an organization' },
  createOrganizationBatchExport:   { method: 'POST',   path: ofOrganization,                   loads: { organization },                    scope: write, body: OrganizationBatchExportCreate, status: 201, response: BatchExport, summary: 'Create a batch export in one of an organization’s projects' },
  getOrganizationBatchExport:      { method: 'GET',    path: `${ofOrganization}:id/`,          loads: { organization, batchExport: 'id' }, scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateOrganizationBatchExport:   { method: 'PATCH',  path: `${ofOrganization}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Change a batch export' },
  replaceOrganizationBatchExport:  { method: 'PUT',    path: `${ofOrganization}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Change a batch export, all required fields given' },
  deleteOrganizationBatchExport:   { method: 'DELETE', path: `${ofOrganization}:id/`,          loads: { organization, batchExport: 'id' }, scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillOrganizationBatchExport: { method: 'POST',   path: `${ofOrganization}:id/backfill/`, loads: { organization, batchExport: 'id' }, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfOrganizationBatchExport:   { method: 'GET',    path: `${ofOrganization}:id/logs/`,     loads: { organization, batchExport: 'id' }, scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseOrganizationBatchExport:    { method: 'POST',   path: `${ofOrganization}:id/pause/`,    loads: { organization, batchExport: 'id' }, scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseOrganizationBatchExport:  { method: 'POST',   path: `${ofOrganization}:id/unpause/`,  loads: { organization, batchExport: 'id' }, scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  listBatchExports:    { method: 'GET',    path: ofProject,                   loads: { project },                    scope: read,  query: ExportQuery, status: 200, response: ExportList, summary: 'List the batch exports of a project' },
  createBatchExport:   { method: 'POST',   path: ofProject,                   loads: { project },                    scope: write, body: NewBatchExport, status: 201, response: BatchExport, summary: 'Create a batch export' },
  getBatchExport:      { method: 'GET',    path: `${ofProject}:id/`,          loads: { project, batchExport: 'id' }, scope: read,  status: 200, response: BatchExport, summary: 'Retrieve a batch export' },
  updateBatchExport:   { method: 'PATCH',  path: `${ofProject}:id/`,          loads: { project, batchExport: 'id' }, scope: write, body: BatchExportUpdate, status: 200, response: BatchExport, summary: 'Change a batch export' },
  replaceBatchExport:  { method: 'PUT',    path: `${ofProject}:id/`,          loads: { project, batchExport: 'id' }, scope: write, body: BatchExportCreate, status: 200, response: BatchExport, summary: 'Change a batch export, all required fields given' },
  deleteBatchExport:   { method: 'DELETE', path: `${ofProject}:id/`,          loads: { project, batchExport: 'id' }, scope: write, status: 204, response: nothing, summary: 'Delete a batch export' },
  backfillBatchExport: { method: 'POST',   path: `${ofProject}:id/backfill/`, loads: { project, batchExport: 'id' }, scope: write, body: BackfillInput, status: 200, response: BackfilledExport, summary: 'Backfill a batch export' },
  logsOfBatchExport:   { method: 'GET',    path: `${ofProject}:id/logs/`,     loads: { project, batchExport: 'id' }, scope: read,  query: LogQuery, status: 200, response: ExportLogs, summary: 'Read the logs of a batch export' },
  pauseBatchExport:    { method: 'POST',   path: `${ofProject}:id/pause/`,    loads: { project, batchExport: 'id' }, scope: write, body: IgnoredInput, status: 200, response: BatchExport, summary: 'Pause a batch export' },
  unpauseBatchExport:  { method: 'POST',   path: `${ofProject}:id/unpause/`,  loads: { project, batchExport: 'id' }, scope: write, body: UnpauseInput, status: 200, response: BatchExport, summary: 'Unpause a batch export' },

  overviewOfOrganizationBatchExports: { method: 'GET', path: `${ofOrganization}overview/`, loads: { organization },               scope: read, status: 200, response: Overview, summary: 'How all batch exports of an organization do' },
  overviewOfBatchExports: { method: 'GET',  path: `${ofProject}overview/`,          loads: { project },                    scope: read,  status: 200, response: Overview, summary: 'How all batch exports of a project do' },
  testConnection:         { method: 'POST', path: `${ofProject}test_connection/`,   loads: { project },                    scope: write, body: ConnectionTestInput, status: 200, response: ConnectionTest, summary: 'Try a destination: writes and removes a tiny file' },
  previewBatchExport:     { method: 'POST', path: `${ofProject}preview/`,           loads: { project },                    scope: write, body: PreviewInput, status: 200, response: Preview, summary: 'Columns and sample rows of what an export would write' },
  coverageOfBatchExport:  { method: 'GET',  path: `${ofProject}:id/coverage/`,      loads: { project, batchExport: 'id' }, scope: read,  query: CoverageQuery, status: 200, response: Coverage, summary: 'What became of each window of a period' },
  changesOfBatchExport:   { method: 'GET',  path: `${ofProject}:id/changes/`,       loads: { project, batchExport: 'id' }, scope: read,  query: CursorQuery, status: 200, response: ChangeList, summary: 'What was changed in a batch export, when and by whom' },
  downloadLogs:           { method: 'GET',  path: `${ofProject}:id/logs/download/`, loads: { project, batchExport: 'id' }, scope: read,  query: LogDownloadQuery, status: 200, response: z.string(), produces: 'text/plain', summary: 'The log lines that match as a text, oldest first' },
  retryFailedRuns:        { method: 'POST', path: `${ofProject}:id/retry_failed/`,  loads: { project, batchExport: 'id' }, scope: write, body: IgnoredInput, status: 200, response: RetriedRuns, summary: 'Run every data interval again that has failed and not been exported since' },

  listRuns:   { method: 'GET',  path: runs,                 loads: { project, batchExport },            scope: read,  query: RunListQuery, status: 200, response: RunList, summary: 'List the runs of a batch export' },
  getRun:     { method: 'GET',  path: `${runs}:id/`,        loads: { project, batchExport, run: 'id' }, scope: read,  status: 200, response: RunWithFiles, summary: 'Retrieve a run' },
  logsOfRun:  { method: 'GET',  path: `${runs}:id/logs/`,   loads: { project, batchExport, run: 'id' }, scope: read,  query: LogQuery, status: 200, response: RunLogs, summary: 'Read the logs of a run' },
  retryRun:   { method: 'POST', path: `${runs}:id/retry/`,  loads: { project, batchExport, run: 'id' }, scope: write, body: RunRetryInput, status: 200, response: RetriedRun, summary: 'Run a data interval again' },
  cancelRun:  { method: 'POST', path: `${runs}:id/cancel/`, loads: { project, batchExport, run: 'id' }, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a run' },

  getStandaloneRun: { method: 'GET', path: '/api/projects/:project_id/batch_export_runs/:id/', loads: { project, run: 'id' }, scope: read, status: 200, response: StandaloneRun, summary: 'Retrieve a run of any batch export of a project' },

  listBackfills:  { method: 'GET',  path: backfills,                 loads: { project, batchExport },                 scope: read,  query: CursorQuery, status: 200, response: BackfillList, summary: 'List the backfills of a batch export' },
  getBackfill:    { method: 'GET',  path: `${backfills}:id/`,        loads: { project, batchExport, backfill: 'id' }, scope: read,  status: 200, response: Backfill, summary: 'Retrieve a backfill' },
  cancelBackfill: { method: 'POST', path: `${backfills}:id/cancel/`, loads: { project, batchExport, backfill: 'id' }, scope: write, body: IgnoredInput, status: 200, response: Cancelled, summary: 'Cancel a backfill and the runs it has left' },

  listSessionRecordings:      { method: 'GET',    path: recordings,                   loads: { project },                  scope: readRecordings,  query: RecordingListQuery, status: 200, response: SessionRecordingList, summary: 'List the session recordings of a project' },
  errorClusters:              { method: 'GET',    path: `${recordings}error_clusters/`,  loads: { project },                  scope: readRecordings,  status: 200, response: ErrorClusters, summary: 'Group console errors and exceptions by what their messages have in common' },
  matchingEvents:             { method: 'GET',    path: `${recordings}matching_events/`, loads: { project },                  scope: readRecordings,  query: MatchingEventsQuery, status: 200, response: MatchingEvents, summary: 'The events of one session that match a filter. For internal use: it may change incompatibly without announcement' },
  propertiesOfRecordings:     { method: 'GET',    path: `${recordings}properties/`,      loads: { project },                  scope: readRecordings,  query: PropertiesQuery, status: 200, response: RecordingProperties, summary: 'Properties of the sessions of several recordings' },
  bulkDeleteRecordings:       { method: 'POST',   path: `${recordings}bulk_delete/`,     loads: { project },                  scope: writeRecordings, body: BulkDelete, status: 200, response: BulkDeleted, summary: 'Delete several session recordings' },
  getSessionRecording:        { method: 'GET',    path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: readRecordings,  query: SharingQuery, status: 200, response: SessionRecording, byLink: SharedRecording, summary: 'Retrieve a session recording' },
  updateSessionRecording:     { method: 'PATCH',  path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: writeRecordings, body: RecordingUpdate, status: 200, response: Succeeded, summary: 'Mark a session recording as watched' },
  deleteSessionRecording:     { method: 'DELETE', path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a session recording and its snapshots' },
  persistSessionRecording:    { method: 'POST',   path: `${recordings}:id/persist/`,     loads: { project, recording: 'id' }, scope: writeRecordings, body: RecordingInput, status: 200, response: PersistedRecording, summary: 'Keep a session recording past the retention' },
  similarSessions:            { method: 'GET',    path: `${recordings}:id/similar_sessions/`, loads: { project, recording: 'id' }, scope: readRecordings, status: 200, response: SimilarSessions, summary: 'Sessions that went the same way, nearest first' },
  summarizeSessionRecording:  { method: 'POST',   path: `${recordings}:id/summarize/`,   loads: { project, recording: 'id' }, scope: readRecordings,  body: RecordingInput, status: 200, response: SummarizedRecording, summary: 'Say in words what happened in a session' },
  eventsOfSessionRecording:   { method: 'GET',    path: `${recordings}:id/events/`,      loads: { project, recording: 'id' }, scope: readRecordings,  status: 200, response: RecordingEvents, summary: 'The events that were captured during a session' },
  snapshotsOfSessionRecording: { method: 'GET',   path: `${recordings}:id/snapshots/`,   loads: { project, recording: 'id' }, scope: readRecordings,  query: SnapshotQuery, status: 200, response: SnapshotSources, produces: 'application/jsonl', byLink: SnapshotSources, summary: 'The blocks of a recording, or with source=blob_v2 their events as JSON lines' },
  getSharing:                 { method: 'GET',    path: sharing,                         loads: { project, recording },       scope: readSharing,     status: 200, response: SharingConfiguration, summary: 'How a session recording is shared' },
  updateSharing:              { method: 'PATCH',  path: sharing,                         loads: { project, recording },       scope: writeSharing,    body: SharingUpdate, status: 200, response: SharingConfiguration, summary: 'Share a session recording by a link, or stop it' },
  refreshSharing:             { method: 'POST',   path: `${sharing}refresh/`,            loads: { project, recording },       scope: writeSharing,    body: IgnoredInput, status: 200, response: SharingConfiguration, summary: 'Make a new link; the old one opens nothing any more' },
  openLink:                   { method: 'GET',    path: '/api/shared/:access_token/',    loads: { link: 'access_token' },     scope: null,             status: 200, response: OpenedLink, byLink: OpenedLink, summary: 'What the link to a shared recording opens; counts as a view' },

  getUser:              { method: 'GET',    path: '/api/users/@me/',                       scope: null, status: 200, response: User, summary: 'The user behind the key' },
  getCurrentApiKey:     { method: 'GET',    path: '/api/personal_api_keys/@current/',      scope: null, status: 200, response: PersonalApiKey, summary: 'The key itself' },
  listPersonalApiKeys:  { method: 'GET',    path: '/api/personal_api_keys/',               scope: 'personal_api_key:read', status: 200, response: z.array(PersonalApiKey), summary: 'List the keys of the user' },
  createPersonalApiKey: { method: 'POST',   path: '/api/personal_api_keys/',               scope: 'personal_api_key:write', body: PersonalApiKeyCreate, status: 201, response: CreatedPersonalApiKey, summary: 'Create a key' },
  deletePersonalApiKey: { method: 'DELETE', path: '/api/personal_api_keys/:id/',           loads: { apiKey: 'id' }, scope: 'personal_api_key:write', status: 204, response: nothing, summary: 'Revoke a key' },
  getInstance:          { method: 'GET',    path: '/api/instance/',                        scope: null, status: 200, response: Instance, summary: 'What this installation offers' },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type ParamName<Name extends EndpointName> = ParamNames<(typeof endpoints)[Name]['path']>

// Does not compile when `loads` names a parameter that its path does not have.
endpoints satisfies {
  [Name in EndpointName]: { path: string; loads?: Partial<Record<PathObject, ParamName<Name>>> }
}

export type PathParams<Name extends EndpointName> = { [Param in ParamName<Name>]: string }
/** The objects that an endpoint's path names. */
export type LoadedBy<Name extends EndpointName> = (typeof endpoints)[Name] extends { loads: infer Loads }
  ? keyof Loads
  : never

/** Endpoints that answer by a key: all but those that load a link. */
export type KeyEndpointName = {
  [Name in EndpointName]: 'link' extends LoadedBy<Name> ? never : Name
}[EndpointName]
/** Endpoints that answer by a link. */
export type LinkEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { byLink: z.ZodType } ? Name : never
}[EndpointName]

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
