import type { useNavigate } from '@tanstack/react-router'
import { recordingCan, type SessionRecording } from '../../../contract/session-recording.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { deleteLater, keep, setWatched, type Place } from './requests.ts'

export type RecordingContext = Place & {
  navigate: ReturnType<typeof useNavigate>
  /** The place of a recording in the list, for the address of its page. */
  placeOf: (row: SessionRecording) => { list: string | undefined; row: number }
  openDialog: (dialog: RecordingDialog) => void
}

export type RecordingDialog = { kind: 'share' | 'summarize'; rows: readonly SessionRecording[] }

type Scopes = readonly string[]

/** Everything that can be done with recordings of the list, in the order of the row menu. */
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
  share: {
    label: 'Share',
    menuLabel: 'Share…',
    keys: ['s'],
    // The dialog shows how one recording is shared; several can only be changed.
    reason: (_, scopes, count) => (count > 1 ? recordingCan.share(scopes) : recordingCan.seeSharing(scopes)),
    perform: (rows, { openDialog }) => openDialog({ kind: 'share', rows }),
  },
  summarize: {
    label: 'Summarize',
    keys: ['m'],
    perform: (rows, { openDialog }) => openDialog({ kind: 'summarize', rows }),
  },
  keep: {
    label: 'Keep',
    paletteLabel: (what) => `Keep ${what}`,
    reason: unless(({ storage }) => storage === 'object_storage_lts', 'It is kept already.'),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? 'All of these are kept already.',
    doing: 'Keeping',
    perform: (rows, place, onProgress) => keep(place, rows, onProgress),
  },
  watched: {
    label: 'Watched',
    menuLabel: 'Mark as watched',
    paletteLabel: (what) => `Mark ${what} as watched`,
    inMenu: ({ viewed }) => viewed === '',
    reason: unless(({ viewed }) => viewed !== '', 'It is marked as watched already.'),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? 'All of these are marked as watched already.',
    doing: 'Marking',
    perform: (rows, place, onProgress) => setWatched(place, rows, true, onProgress),
  },
  unwatched: {
    label: 'Unwatched',
    menuLabel: 'Mark as unwatched',
    paletteLabel: (what) => `Mark ${what} as unwatched`,
    inMenu: ({ viewed }) => viewed !== '',
    reason: unless(({ viewed }) => viewed === '', 'It has not been watched.'),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? 'None of these has been watched.',
    doing: 'Marking',
    perform: (rows, place, onProgress) => setWatched(place, rows, false, onProgress),
  },
  delete: {
    label: 'Delete',
    keys: ['d', 'Delete'],
    danger: true,
    clears: true,
    reason: (_, scopes) => recordingCan.change(scopes),
    perform: (rows, place) => deleteLater(place, rows),
  },
} satisfies Record<string, ListAction<SessionRecording, RecordingContext>>

function unless(applies: (row: SessionRecording) => boolean, reason: string) {
  return (row: SessionRecording, scopes: Scopes) =>
    recordingCan.change(scopes) ?? (applies(row) ? reason : null)
}
