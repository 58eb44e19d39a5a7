import { z } from 'zod'
import { IgnoredInput } from '../exports/batch-export.ts'
import * as errors from './error-cluster.ts'
import * as filters from './recording-filter.ts'
import { QuickCounts } from './quick-filter.ts'
import { offsetPage, offsetQuery } from '../page.ts'
import * as people from './person.ts'
import * as collections from './recording-collection.ts'
import { MentionableMember, Mentions, ReadMentions } from './note-mention.ts'
import { NoteInput, NotesQuery, NoteUpdate, RecordingNote } from './recording-note.ts'
import { RecordingSettings, RecordingSettingsUpdate } from './recording-settings.ts'
import { StoredSummary, SummarizedRecording, SummaryInput } from './recording-summary.ts'
import * as views from './recording-view.ts'
import { RecordedAssets } from './recorded-asset.ts'
import * as session from './session-recording.ts'
import * as share from './sharing.ts'
import { SnapshotQuery, SnapshotSources } from './snapshot.ts'
import { GroupSummary, GroupSummaryInput } from './group-summary.ts'
import { Assignees } from '../triage.ts'
import type { Endpoint } from '../endpoint.ts'

const project = 'project_id'
const recording = 'recording_id'
const readRecordings = 'session_recording:read'
const writeRecordings = 'session_recording:write'
const writeErrors = 'error_tracking:write'
const readSharing = 'sharing_configuration:read'
const writeSharing = 'sharing_configuration:write'
const recordings = '/api/projects/:project_id/session_recordings/'
const recordingSettings = '/api/projects/:project_id/recording_settings/'
const recordingCollections = '/api/projects/:project_id/session_recording_playlists/'
const collectionLinks = '/api/projects/:project_id/session_recording_playlists/:collection_id/links/'
const persons = '/api/projects/:project_id/persons/'
const recordingViews = '/api/projects/:project_id/saved_views/'
const sharing = '/api/projects/:project_id/session_recordings/:recording_id/sharing/'
const links = '/api/projects/:project_id/session_recordings/:recording_id/links/'
const notes = '/api/projects/:project_id/recording_notes/'
const mentions = '/api/projects/:project_id/mentions/'
const MatchingEventsQuery = z.object({
  session_ids: filters.jsonParameter(z.array(z.string()).max(10_000)).optional(),
  events: filters.jsonParameter(z.array(filters.EventFilter).max(20)).optional(),
  actions: filters.jsonParameter(z.array(filters.EventFilter).max(20)).optional(),
  properties: filters.jsonParameter(z.array(filters.PropertyFilter).max(20)).optional(),
})

const PropertiesQuery = z.object({
  session_ids: filters.jsonParameter(z.array(z.unknown()).max(1000)).optional(),
})

/**
 * Suggests names of events or properties or, with `key`, values of that property; `search` is a part of what is suggested.
 */
const FilterValuesQuery = z.object({
  type: z.enum(['event', 'property']).default('event'),
  key: z.string().min(1).max(200).optional(),
  search: z.string().max(200).default(''),
})
/** At most 20 values, those that begin with the searched text first. */
export const FilterValues = z.object({ results: z.array(z.string()) })

const Succeeded = z.object({ success: z.literal(true) })

/** The endpoints of session recordings. The dashboard loads this table only where it needs it. */
// prettier-ignore
export const recordingEndpoints = {
  listSessionRecordings:      { method: 'GET',    path: recordings,                   loads: { project },                  scope: readRecordings,  query: filters.RecordingListQuery, status: 200, response: session.SessionRecordingList, summary: 'List the session recordings of a project' },
  quickCounts:                { method: 'GET',    path: `${recordings}quick_counts/`, loads: { project },                  scope: readRecordings,  query: filters.RecordingFilter, status: 200, response: QuickCounts, summary: 'Count the recordings that match a filter and each of the list’s quick filters' },
  matchedMoments:             { method: 'GET',    path: `${recordings}matched_moments/`, loads: { project },                  scope: readRecordings,  query: filters.RecordingFilter, status: 200, response: session.MatchedMoments, summary: 'Say why the recordings named by session_ids match the other filters' },
  filterValues:               { method: 'GET',    path: `${recordings}filter_values/`, loads: { project },                  scope: readRecordings,  query: FilterValuesQuery, status: 200, response: FilterValues, summary: 'Suggest names of events, or values of an event property, for a filter' },
  errorClusters:              { method: 'GET',    path: `${recordings}error_clusters/`,  loads: { project },                  scope: readRecordings, query: errors.ErrorClustersQuery, status: 200, response: errors.ErrorClusters, summary: 'Group console errors and exceptions with similar messages' },
  updateErrorClusters:        { method: 'PATCH',  path: `${recordings}error_clusters/`,  loads: { project },                  scope: writeErrors, body: errors.ErrorClustersUpdate, status: 200, response: errors.UpdatedErrorClusters, summary: 'Assign, resolve, ignore or reopen errors' },
  errorAssignees:             { method: 'GET',    path: `${recordings}error_clusters/assignees/`, loads: { project },         scope: readRecordings,  status: 200, response: Assignees, summary: 'List the members to whom errors can be assigned' },
  errorMoments:               { method: 'GET',    path: `${recordings}error_moments/`,   loads: { project },                  scope: readRecordings,  query: errors.ErrorMomentsQuery, status: 200, response: errors.ErrorMoments, summary: 'Show where an error occurs: its stack and its newest recordings' },
  matchingEvents:             { method: 'GET',    path: `${recordings}matching_events/`, loads: { project },                  scope: readRecordings,  query: MatchingEventsQuery, status: 200, response: session.MatchingEvents, summary: 'List the events of one session that match a filter. For internal use: may change incompatibly without announcement' },
  propertiesOfRecordings:     { method: 'GET',    path: `${recordings}properties/`,      loads: { project },                  scope: readRecordings,  query: PropertiesQuery, status: 200, response: session.RecordingProperties, summary: 'List the visitor properties of several recordings' },
  bulkDeleteRecordings:       { method: 'POST',   path: `${recordings}bulk_delete/`,     loads: { project },                  scope: writeRecordings, body: session.BulkDelete, status: 200, response: session.BulkDeleted, summary: 'Delete several session recordings' },
  createGroupSummary:         { method: 'POST',   path: `${recordings}summaries/`,       loads: { project },                  scope: readRecordings,  body: GroupSummaryInput, status: 201, response: GroupSummary, summary: 'Start a summary of several recordings, by their ids or a filter' },
  getGroupSummary:            { method: 'GET',    path: `${recordings}summaries/:id/`,   loads: { project, groupSummary: 'id' }, scope: readRecordings, status: 200, response: GroupSummary, summary: 'Retrieve a summary of several recordings, or its progress' },
  cancelGroupSummary:         { method: 'POST',   path: `${recordings}summaries/:id/cancel/`, loads: { project, groupSummary: 'id' }, scope: readRecordings, body: IgnoredInput, status: 200, response: GroupSummary, summary: 'Cancel a summary of several recordings' },
  rewordGroupSummary:         { method: 'POST',   path: `${recordings}summaries/:id/reword/`, loads: { project, groupSummary: 'id' }, scope: readRecordings, body: IgnoredInput, status: 200, response: GroupSummary, summary: 'Have the language model rewrite a summary of several recordings' },
  getSessionRecording:        { method: 'GET',    path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: readRecordings,  query: share.SharingQuery, status: 200, response: session.WatchedRecording, byLink: session.SharedRecording, summary: 'Retrieve a session recording' },
  importSessionRecording:     { method: 'POST',   path: `${recordings}import/`,          loads: { project },                  scope: writeRecordings, query: session.ImportQuery, consumes: 'application/zstd', status: 201, response: session.SessionRecording, summary: 'Import a recording from the file of another installation or project' },
  updateSessionRecording:     { method: 'PATCH',  path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: writeRecordings, body: session.RecordingUpdate, status: 200, response: Succeeded, summary: 'Mark a session recording as watched or not watched' },
  deleteSessionRecording:     { method: 'DELETE', path: `${recordings}:id/`,             loads: { project, recording: 'id' }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a session recording and its snapshots' },
  persistSessionRecording:    { method: 'POST',   path: `${recordings}:id/persist/`,     loads: { project, recording: 'id' }, scope: writeRecordings, body: session.RecordingInput, status: 200, response: session.PersistedRecording, summary: 'Keep a session recording past the retention period' },
  similarSessions:            { method: 'GET',    path: `${recordings}:id/similar_sessions/`, loads: { project, recording: 'id' }, scope: readRecordings, status: 200, response: session.SimilarSessions, summary: 'List sessions with similar paths, most similar first' },
  summarizeSessionRecording:  { method: 'POST',   path: `${recordings}:id/summarize/`,   loads: { project, recording: 'id' }, scope: readRecordings,  body: SummaryInput, status: 200, response: SummarizedRecording, summary: 'Summarize what happened in a session' },
  summaryOfSessionRecording:  { method: 'GET',    path: `${recordings}:id/summary/`,     loads: { project, recording: 'id' }, scope: readRecordings,  status: 200, response: StoredSummary, summary: 'Retrieve the summary of a session, which is stored until the session continues' },
  eventsOfSessionRecording:   { method: 'GET',    path: `${recordings}:id/events/`,      loads: { project, recording: 'id' }, scope: readRecordings,  status: 200, response: session.RecordingEvents, summary: 'List the events captured during a session' },
  snapshotsOfSessionRecording: { method: 'GET',   path: `${recordings}:id/snapshots/`,   loads: { project, recording: 'id' }, scope: readRecordings,  query: SnapshotQuery, status: 200, response: SnapshotSources, produces: 'application/jsonl', byLink: SnapshotSources, summary: 'List the blocks of a recording or, with source=blob_v2, return their events as JSON lines; with source=page, a stored page' },
  fileOfSessionRecording:     { method: 'GET',    path: `${recordings}:recording_id/file/`, loads: { project, recording },    scope: readRecordings,  status: 200, response: z.string(), produces: 'application/zstd', summary: 'Download a recording as a file that another installation or project can import' },
  assetsOfSessionRecording:   { method: 'GET',    path: `${recordings}:id/assets/`,      loads: { project, recording: 'id' }, scope: readRecordings,  query: share.SharingQuery, status: 200, response: RecordedAssets, byLink: RecordedAssets, summary: 'List the files that a recording shows but does not hold, such as images, with the paths of the stored copies' },
  listRecordingNotes:         { method: 'GET',    path: notes,                           loads: { project },                  scope: readRecordings,  query: NotesQuery, status: 200, response: offsetPage(RecordingNote), summary: 'List the notes on a session recording in the order of their moments or, without session_recording_id, those on all recordings, newest first' },
  createRecordingNote:        { method: 'POST',   path: notes,                           loads: { project },                  scope: writeRecordings, body: NoteInput, status: 201, response: RecordingNote, summary: 'Write a note on a moment of a session recording' },
  updateRecordingNote:        { method: 'PATCH',  path: `${notes}:note_id/`,             loads: { project, recordingNote: 'note_id' }, scope: writeRecordings, body: NoteUpdate, status: 200, response: RecordingNote, summary: 'Change a note of your own' },
  deleteRecordingNote:        { method: 'DELETE', path: `${notes}:note_id/`,             loads: { project, recordingNote: 'note_id' }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a note' },
  listMentions:               { method: 'GET',    path: mentions,                        loads: { project },                  scope: readRecordings,  status: 200, response: Mentions, summary: 'List the unread notes that mention the user, newest first' },
  listMentionableMembers:     { method: 'GET',    path: `${mentions}members/`,           loads: { project },                  scope: writeRecordings, status: 200, response: z.array(MentionableMember), summary: 'List the members who may watch the recordings of a project, whom notes can mention' },
  readMentions:               { method: 'POST',   path: `${mentions}read/`,              loads: { project },                  scope: readRecordings,  body: ReadMentions, status: 200, response: Succeeded, summary: 'Mark the notes on a recording that mention the user as read' },
  getSharing:                 { method: 'GET',    path: sharing,                         loads: { project, recording },       scope: readSharing,     status: 200, response: share.SharingConfiguration, summary: 'Retrieve the sharing configuration of a session recording' },
  bulkUpdateSharing:          { method: 'PATCH',  path: `${recordings}bulk_sharing/`,    loads: { project },                  scope: writeSharing,    body: share.BulkSharing, status: 200, response: share.BulkShared, summary: 'Share several recordings by their default links, or stop sharing them' },
  updateSharing:              { method: 'PATCH',  path: sharing,                         loads: { project, recording },       scope: writeSharing,    body: share.SharingUpdate, status: 200, response: share.SharingConfiguration, summary: 'Update the sharing configuration of a session recording' },
  refreshSharing:             { method: 'POST',   path: `${sharing}refresh/`,            loads: { project, recording },       scope: writeSharing,    body: IgnoredInput, status: 200, response: share.SharingConfiguration, summary: 'Create a new link; the old one stops working' },
  listRecordingLinks:         { method: 'GET',    path: links,                           loads: { project, recording },       scope: readSharing,     query: offsetQuery(100), status: 200, response: offsetPage(share.RecordingLink), summary: 'List the links to a session recording besides its default one, oldest first' },
  createRecordingLink:        { method: 'POST',   path: links,                           loads: { project, recording },       scope: writeSharing,    body: share.LinkUpdate, status: 201, response: share.RecordingLink, summary: 'Create a link to a session recording, or to a part of it' },
  updateRecordingLink:        { method: 'PATCH',  path: `${links}:link_id/`,             loads: { project, recording, recordingLink: 'link_id' }, scope: writeSharing, body: share.LinkUpdate, status: 200, response: share.RecordingLink, summary: 'Change, revoke or restore a link' },
  deleteRecordingLink:        { method: 'DELETE', path: `${links}:link_id/`,             loads: { project, recording, recordingLink: 'link_id' }, scope: writeSharing, status: 204, response: z.null(), summary: 'Delete a link' },
  openLink:                   { method: 'GET',    path: '/api/shared/:access_token/',    loads: { link: 'access_token' },     scope: null,             status: 200, response: share.LinkContent, byLink: share.LinkContent, summary: 'Open a shared recording or collection by its link; counts as a view' },
  openCollectedRecording:     { method: 'GET',    path: '/api/shared/:access_token/recordings/:recording_id/', loads: { link: 'access_token', recording }, scope: null, status: 200, response: share.OpenedLink, byLink: share.OpenedLink, summary: 'Open a recording of a shared collection' },

  listRecordingCollections:   { method: 'GET',    path: recordingCollections,            loads: { project },                  scope: readRecordings,  query: offsetQuery(collections.collectionsMax), status: 200, response: offsetPage(collections.RecordingCollection), summary: 'List the collections of recordings by name; the first page has all unless you set a limit' },
  createRecordingCollection:  { method: 'POST',   path: recordingCollections,            loads: { project },                  scope: writeRecordings, body: collections.CollectionInput, status: 201, response: collections.RecordingCollection, summary: 'Create a collection of recordings, made by hand or by a rule' },
  getRecordingCollection:     { method: 'GET',    path: `${recordingCollections}:collection_id/`, loads: { project, recordingCollection: 'collection_id' }, scope: readRecordings, status: 200, response: collections.RecordingCollection, summary: 'Retrieve a collection; the list of recordings finds its recordings with the filter `collection`' },
  updateRecordingCollection:  { method: 'PATCH',  path: `${recordingCollections}:collection_id/`, loads: { project, recordingCollection: 'collection_id' }, scope: writeRecordings, body: collections.CollectionUpdate, status: 200, response: collections.RecordingCollection, summary: 'Rename a collection or change its rule' },
  deleteRecordingCollection:  { method: 'DELETE', path: `${recordingCollections}:collection_id/`, loads: { project, recordingCollection: 'collection_id' }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a collection, but not its recordings' },
  addToRecordingCollection:   { method: 'POST',   path: `${recordingCollections}:collection_id/recordings/`, loads: { project, recordingCollection: 'collection_id' }, scope: writeRecordings, body: collections.CollectionAddition, status: 200, response: collections.RecordingCollection, summary: 'Add recordings to a collection made by hand' },
  addOneToRecordingCollection: { method: 'POST',  path: `${recordingCollections}:collection_id/recordings/:recording_id/`, loads: { project, recordingCollection: 'collection_id', recording }, scope: writeRecordings, body: IgnoredInput, status: 200, response: Succeeded, summary: 'Add a recording to a collection made by hand' },
  removeFromRecordingCollection: { method: 'DELETE', path: `${recordingCollections}:collection_id/recordings/:recording_id/`, loads: { project, recordingCollection: 'collection_id', recording }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Remove a recording from a collection made by hand' },
  listCollectionLinks:        { method: 'GET',    path: collectionLinks,                 loads: { project, recordingCollection: 'collection_id' }, scope: readSharing, query: offsetQuery(100), status: 200, response: offsetPage(share.CollectionLink), summary: 'List the links to a collection, oldest first' },
  createCollectionLink:       { method: 'POST',   path: collectionLinks,                 loads: { project, recordingCollection: 'collection_id' }, scope: writeSharing, body: share.CollectionLinkUpdate, status: 201, response: share.CollectionLink, summary: 'Create a link to a collection' },
  updateCollectionLink:       { method: 'PATCH',  path: `${collectionLinks}:link_id/`,   loads: { project, recordingCollection: 'collection_id', collectionLink: 'link_id' }, scope: writeSharing, body: share.CollectionLinkUpdate, status: 200, response: share.CollectionLink, summary: 'Change, revoke or restore a link to a collection' },
  deleteCollectionLink:       { method: 'DELETE', path: `${collectionLinks}:link_id/`,   loads: { project, recordingCollection: 'collection_id', collectionLink: 'link_id' }, scope: writeSharing, status: 204, response: z.null(), summary: 'Delete a link to a collection' },
  listRecordingViews:         { method: 'GET',    path: recordingViews,                  loads: { project },                  scope: readRecordings,  query: offsetQuery(views.recordingViewsMax), status: 200, response: offsetPage(views.RecordingView), summary: 'List the saved views of the recordings list by name; the first page has all unless you set a limit' },
  createRecordingView:        { method: 'POST',   path: recordingViews,                  loads: { project },                  scope: writeRecordings, body: views.RecordingViewInput, status: 201, response: views.RecordingView, summary: 'Save a view: a named filter of the recordings list' },
  updateRecordingView:        { method: 'PATCH',  path: `${recordingViews}:id/`,         loads: { project, recordingView: 'id' }, scope: writeRecordings, body: views.RecordingViewUpdate, status: 200, response: views.RecordingView, summary: 'Rename, update or share a saved view' },
  deleteRecordingView:        { method: 'DELETE', path: `${recordingViews}:id/`,         loads: { project, recordingView: 'id' }, scope: writeRecordings, status: 204, response: z.null(), summary: 'Delete a saved view' },

  findPersons:                { method: 'GET',    path: persons,                         loads: { project },                  scope: readRecordings,  query: people.PersonsQuery, status: 200, response: people.FoundPersons, summary: 'Find persons by a part of their name or e-mail address, or by a distinct id' },
  getPerson:                  { method: 'GET',    path: `${persons}:person_id/`,         loads: { project, person: 'person_id' }, scope: readRecordings, status: 200, response: people.Person, summary: 'Retrieve a person, or a visitor who was never identified, by UUID or distinct id' },
  recordingsOfPerson:         { method: 'GET',    path: `${persons}:person_id/recordings/`, loads: { project, person: 'person_id' }, scope: readRecordings, status: 200, response: people.PersonRecordings, summary: 'List when a person visited and how each recording ended; the list of recordings has the recordings themselves' },
  eventsOfPerson:             { method: 'GET',    path: `${persons}:person_id/events/`,  loads: { project, person: 'person_id' }, scope: readRecordings, query: people.PersonEventsQuery, status: 200, response: people.PersonEvents, summary: 'List the events of a person, newest first' },
  exportsOfPerson:            { method: 'GET',    path: `${persons}:person_id/exports/`, loads: { project, person: 'person_id' }, scope: readRecordings, status: 200, response: people.PersonExports, summary: 'List the batch exports with rows of a person in windows of completed runs. Also requires the scope batch_export:read' },

  getRecordingSettings:       { method: 'GET',    path: recordingSettings,               loads: { project },                  scope: readRecordings,  status: 200, response: RecordingSettings, summary: 'Retrieve what posthog-js records on a project’s sites' },
  updateRecordingSettings:    { method: 'PATCH',  path: recordingSettings,               loads: { project },                  scope: writeRecordings, body: RecordingSettingsUpdate, status: 200, response: RecordingSettings, summary: 'Change what posthog-js records on a project’s sites' },
} as const satisfies Record<string, Endpoint>
