import type { useNavigate } from '@tanstack/react-router'
import { recordingCan, type SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { secondsBefore } from '../../../contract/recordings/visit.ts'
import { downloadRecording } from '../../queries/recordings/recording-file.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { copyText } from '../../ui/feedback/copy-text.ts'
import { personIdOf, recordingName } from '../../format/recording-name.ts'
import { summarizeMany } from '../summary/summarize-many.ts'
import { deleteRecordings, keep, setWatched, startBulk, type Place } from './requests.ts'

export type RecordingContext = Place & {
  navigate: ReturnType<typeof useNavigate>
  /** Returns the URL parameters for a recording's page: the list's query string, the recording's index and where to start. */
  placeOf: (row: SessionRecording) => { list: string | undefined; row: number; t?: number | undefined }
  openDialog: (dialog: RecordingDialog) => void
}

export type RecordingDialog =
  | { kind: 'share' | 'summarize'; rows: readonly SessionRecording[] }
  | { kind: 'collect'; rows: readonly SessionRecording[] | 'all' }

type Scopes = readonly string[]

/** All actions on recordings of the list, in the order of the row menu. */
export const recordingActions = {
  open: {
    label: 'Open',
    keyLabel: 'Watch the recording',
    keys: ['Enter'],
    single: true,
    perform: ([row], { navigate, placeOf }) => {
      if (row) void navigate({ to: '/recordings/$id', params: { id: row.id }, search: placeOf(row) })
    },
  },
  openProblem: {
    label: 'Open at the first problem',
    keys: ['e'],
    single: true,
    reason: ({ visit }) => (visit?.problems[0] ? null : 'This recording has no known problems.'),
    perform: ([row], { navigate, placeOf }) => {
      const at = row?.visit?.problems[0]?.at
      if (!row || at === undefined) return
      const search = { ...placeOf(row), t: secondsBefore(at) }
      void navigate({ to: '/recordings/$id', params: { id: row.id }, search })
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
    perform: (rows, place) => keep(place, rows),
    performAll: (place) => startBulk(place, 'keep_recordings', 'all'),
    reasonOfKey: recordingCan.change,
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
    perform: ([row], { navigate, placeOf }) => {
      if (row)
        void navigate({
          to: '/recordings/$id',
          params: { id: row.id },
          search: { ...placeOf(row), tab: 'similar' },
        })
    },
  },
  copyLink: {
    label: 'Copy link',
    paletteLabel: (what) => `Copy the link to ${what}`,
    single: true,
    perform: ([row]) =>
      row &&
      copyText(
        `${location.origin}/recordings/${encodeURIComponent(row.id)}`,
        'Link copied. It works for anyone with an API key for this project.',
      ),
  },
  copyId: {
    label: 'Copy id',
    paletteLabel: (what) => `Copy the id of ${what}`,
    single: true,
    perform: ([row]) => row && copyText(row.distinct_id, `Copied the id of ${recordingName(row)}.`),
  },
  watched: {
    label: 'Mark watched',
    menuLabel: 'Mark as watched',
    paletteLabel: (what) => `Mark ${what} as watched`,
    inMenu: ({ viewed }) => viewed === '',
    reason: unless(({ viewed }) => viewed !== '', 'This recording is already marked as watched.'),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? 'All of these are already marked as watched.',
    perform: (rows, place) => setWatched(place, rows, true),
    performAll: (place) => startBulk(place, 'mark_recordings_viewed', 'all'),
    reasonOfKey: recordingCan.change,
  },
  unwatched: {
    label: 'Mark unwatched',
    menuLabel: 'Mark as unwatched',
    paletteLabel: (what) => `Mark ${what} as unwatched`,
    inMenu: ({ viewed }) => viewed !== '',
    reason: unless(({ viewed }) => viewed === '', 'This recording has not been watched.'),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? 'None of these has been watched.',
    perform: (rows, place) => setWatched(place, rows, false),
    performAll: (place) => startBulk(place, 'mark_recordings_unviewed', 'all'),
    reasonOfKey: recordingCan.change,
  },
  download: {
    label: 'Download',
    single: true,
    perform: ([row], { projectId }) => {
      if (row) void downloadRecording(projectId, row)
    },
  },
  delete: {
    label: 'Delete',
    keys: ['d', 'Delete'],
    danger: true,
    clearsSelection: true,
    reason: (_, scopes) => recordingCan.change(scopes),
    perform: (rows, place) => deleteRecordings(place, rows),
    performAll: (place) => startBulk(place, 'delete_recordings', 'all'),
    reasonOfKey: recordingCan.change,
  },
} satisfies Record<string, ListAction<SessionRecording, RecordingContext>>

function unless(applies: (row: SessionRecording) => boolean, reason: string) {
  return (row: SessionRecording, scopes: Scopes) =>
    recordingCan.change(scopes) ?? (applies(row) ? reason : null)
}
