import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { secondsBefore } from '../../../contract/recordings/recording-facts.ts'
import { downloadRecording } from '../../queries/recordings/recording-file.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { copyText } from '../../ui/feedback/toasts.ts'
import { personIdOf, recordingName, namedRecordings } from '../../format/recording-name.ts'
import { summarizeMany, type Place } from '../summary/summarize-many.ts'
import type { recordingActions as bulkNames } from '../../../contract/bulk-action.ts'
import { call } from '../../api/call.ts'
import { sendMutation, invalidate } from '../../queries/endpoint-query.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { withoutOrder } from '../../queries/recordings/recordings-search.ts'
import { refreshMatching, showRecordings } from '../../queries/recordings/recordings.ts'
import { sendAction, sendLater } from '../../ui/feedback/send-action.ts'

type Rows = readonly SessionRecording[]
type Action = ListAction<SessionRecording, RecordingContext>

export type RecordingContext = Place & {
  /** Returns the URL parameters for a recording's page: the list's query string, the recording's index and where to start. */
  placeOf: (row: SessionRecording) => { list: string | undefined; row: number; t: number | undefined }
  openDialog: (dialog: RecordingDialog) => void
}

export type RecordingDialog =
  | { kind: 'share' | 'summarize'; rows: readonly SessionRecording[] }
  | { kind: 'collect'; rows: readonly SessionRecording[] | 'all' }

/** All actions on recordings of the list, in the order of the row menu. */
export const recordingActions = {
  open: {
    label: 'Open',
    keyLabel: 'Watch the recording',
    keys: ['Enter'],
    single: true,
    perform: ([row], context) => row && open(row, context),
  },
  openProblem: {
    label: 'Open at the first problem',
    keys: ['e'],
    single: true,
    reason: ({ facts }) => (facts?.problems[0] ? null : 'This recording has no known problems.'),
    perform: ([row], context) => {
      const at = row?.facts?.problems[0]?.at
      if (row && at !== undefined) open(row, context, { t: secondsBefore(at) })
    },
  },
  share: {
    label: 'Share',
    keys: ['s'],
    // A button of the row.
    inMenu: () => false,
    // For one recording, the dialog also shows its sharing settings, which needs only the read scope.
    reason: (_, scopes, count) => (count > 1 ? recordingCan.share(scopes) : recordingCan.seeSharing(scopes)),
    perform: (rows, { openDialog }) => openDialog({ kind: 'share', rows }),
  },
  summarize: {
    label: 'Summarize',
    keys: ['m'],
    inMenu: () => false,
    perform: (rows, place) =>
      rows.length > 1 ? summarizeMany(place, rows) : place.openDialog({ kind: 'summarize', rows }),
    performAll: (place) => summarizeMany(place, 'all'),
  },
  keep: {
    label: 'Keep',
    reason: unless(({ storage }) => storage === 'object_storage_lts', 'This recording is already kept.'),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? 'All of these are already kept.',
    ...changing('keep_recordings', keep),
  },
  collect: {
    label: 'Add to collection',
    menuLabel: 'Add to collection…',
    paletteLabel: (what) => `Add ${what} to a collection`,
    reason: (_, scopes) => recordingCan.change(scopes),
    perform: (rows, { openDialog }) => openDialog({ kind: 'collect', rows }),
    performAll: ({ openDialog }) => openDialog({ kind: 'collect', rows: 'all' }),
    reasonOfKey: recordingCan.change,
  },
  person: {
    label: 'Person',
    menuLabel: 'Open person',
    keyLabel: 'Open the person’s page',
    keys: ['p'],
    single: true,
    perform: ([row], { navigate }) => {
      if (row) void navigate({ to: '/persons/$id', params: { id: personIdOf(row) } })
    },
  },
  similar: {
    label: 'Similar recordings',
    paletteLabel: (what) => `Recordings similar to ${what}`,
    single: true,
    perform: ([row], context) => row && open(row, context, { tab: 'similar' }),
  },
  copyLink: {
    label: 'Copy link',
    paletteLabel: (what) => `Copy the link to ${what}`,
    single: true,
    perform: ([row]) =>
      row &&
      copyText(
        `${location.origin}/recordings/${encodeURIComponent(row.id)}`,
        'Link copied. It works for anyone who can sign in to this project.',
      ),
  },
  copyId: {
    label: 'Copy id',
    paletteLabel: (what) => `Copy the id of ${what}`,
    single: true,
    perform: ([row]) => row && copyText(row.distinct_id, `Copied the id of ${recordingName(row)}.`),
  },
  watched: marking('watched', 'All of these are already marked as watched.'),
  unwatched: marking('unwatched', 'None of these has been watched.'),
  download: {
    label: 'Download',
    single: true,
    perform: ([row], { projectId }) => row && void downloadRecording(projectId, row),
  },
  delete: {
    label: 'Delete',
    keys: ['d', 'Delete'],
    danger: true,
    clearsSelection: true,
    reason: (_, scopes) => recordingCan.change(scopes),
    ...changing('delete_recordings', deleteLater),
  },
} satisfies Record<string, Action>

function open(
  row: SessionRecording,
  { navigate, placeOf }: RecordingContext,
  at?: { t?: number; tab?: 'similar' },
) {
  void navigate({ to: '/recordings/$id', params: { id: row.id }, search: { ...placeOf(row), ...at } })
}

/** The action that marks recordings as watched or unwatched. */
function marking(mark: 'watched' | 'unwatched', reasonForAll: string) {
  const watched = mark === 'watched'
  const hasMark = ({ viewed }: SessionRecording) => (viewed !== '') === watched
  return {
    label: `Mark ${mark}`,
    further: () => true,
    menuLabel: `Mark as ${mark}`,
    paletteLabel: (what) => `Mark ${what} as ${mark}`,
    inMenu: (row) => !hasMark(row),
    reason: unless(
      hasMark,
      watched ? 'This recording is already marked as watched.' : 'This recording has not been watched.',
    ),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? reasonForAll,
    ...changing(watched ? 'mark_recordings_viewed' : 'mark_recordings_unviewed', (row, place) =>
      setWatched(row, place, watched),
    ),
  } satisfies Action
}

function unless(applies: (row: SessionRecording) => boolean, reason: string) {
  return (row: SessionRecording, scopes: readonly string[]) =>
    recordingCan.change(scopes) ?? (applies(row) ? reason : null)
}

type BulkName = (typeof bulkNames)[number]

const participles: Record<BulkName, string> = {
  delete_recordings: 'deleted',
  keep_recordings: 'kept',
  mark_recordings_viewed: 'marked as watched',
  mark_recordings_unviewed: 'marked as unwatched',
}

/** Performs an action on one recording by itself, and on several in a bulk action, which can be undone in the service. */
function changing(
  action: BulkName,
  changeOne: (row: SessionRecording, place: Place) => void | Promise<void>,
) {
  return {
    perform: (rows, place) => {
      const [row] = rows
      return rows.length === 1 && row ? changeOne(row, place) : startBulk(place, action, rows)
    },
    performAll: (place) => startBulk(place, action, 'all'),
    reasonOfKey: recordingCan.change,
  } satisfies Partial<Action>
}

/** Starts a bulk action on these rows, or on all recordings that match the filter. */
function startBulk(place: Place, action: BulkName, rows: Rows | 'all'): Promise<void> {
  const { client, projectId, filter } = place
  const objects = rows === 'all' ? { filter: withoutOrder(filter) } : { ids: rows.map(({ id }) => id) }
  const what = rows === 'all' ? 'The recordings' : namedRecordings(rows)
  return sendAction({
    failed: `${what} could not be ${participles[action]}.`,
    send: () => startBulkAction(client, projectId, { action, ...objects }),
  })
}

/** Sends a request for one recording, and fetches the data that it has changed. */
async function change({ client }: Place, request: () => Promise<unknown>): Promise<void> {
  await sendMutation(client, request)
  await Promise.all([invalidate(client, 'getSessionRecording', 'errorClusters'), refreshMatching(client)])
}

/** Exempts a recording from deletion at the end of the retention period. */
function keep(row: SessionRecording, place: Place): Promise<void> {
  const name = namedRecordings([row])
  const input = { params: paramsOf(place, row), body: {} }
  return sendAction({
    failed: `${name} could not be kept.`,
    send: () => change(place, () => call('persistSessionRecording', input)),
    done: () => {
      show(place, row, { storage: 'object_storage_lts' })
      return `Kept ${name}.`
    },
  })
}

/** Marks a recording as watched or unwatched, shown before the service responds. */
function setWatched(row: SessionRecording, place: Place, watched: boolean): Promise<void> {
  const name = namedRecordings([row])
  const mark = watched ? 'watched' : 'unwatched'
  const input = { params: paramsOf(place, row), body: { viewed: watched } }
  show(place, row, { viewed: watched ? new Date().toISOString() : '' })
  return sendAction({
    failed: `${name} could not be marked as ${mark}.`,
    send: () =>
      change(place, () => call('updateSessionRecording', input)).catch((error: unknown) => {
        show(place, row, { viewed: row.viewed })
        throw error
      }),
    retry: () => void setWatched(row, place, watched),
    done: `Marked ${name} as ${mark}.`,
    undo: () => void setWatched(row, place, !watched),
  })
}

/** Deletes a recording after six seconds unless undone. */
function deleteLater(row: SessionRecording, { client, projectId }: Place): void {
  const name = namedRecordings([row])
  const ids = [row.id]
  sendLater({
    verb: 'delete',
    on: ids,
    label: `Deleting ${name}`,
    failed: `${name} could not be deleted.`,
    send: () => startBulkAction(client, projectId, { action: 'delete_recordings', ids }),
  })
}

/** Shows a changed recording in all lists. */
function show({ client }: Place, { id }: SessionRecording, changed: Partial<SessionRecording>): void {
  showRecordings(client, new Map([[id, changed]]))
}

function paramsOf({ projectId }: Place, { id }: SessionRecording) {
  return { project_id: projectId, id }
}
