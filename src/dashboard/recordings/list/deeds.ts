import { recordingCan, type SessionRecording } from '../../../contract/session-recording.ts'

/** What can be done with one recording or with many at once. */
export type Deed = 'share' | 'summarize' | 'keep' | 'watched' | 'unwatched' | 'delete'

type Rows = readonly SessionRecording[]

/** What stands in the way of a deed on one recording, and on several that it stands in the way of all. */
const obstacles: Partial<
  Record<Deed, { applies: (row: SessionRecording) => boolean; one: string; all: string }>
> = {
  keep: {
    applies: ({ storage }) => storage === 'object_storage_lts',
    one: 'It is kept already.',
    all: 'All of these are kept already.',
  },
  watched: {
    applies: ({ viewed }) => viewed !== '',
    one: 'It is marked as watched already.',
    all: 'All of these are marked as watched already.',
  },
  unwatched: {
    applies: ({ viewed }) => viewed === '',
    one: 'It has not been watched.',
    all: 'None of these has been watched.',
  },
}

/** Those of the rows that a deed is possible for, and the reason when it is possible for none. */
export function possibleFor(
  deed: Deed,
  rows: Rows,
  scopes: readonly string[],
): { rows: Rows; reason: string | null } {
  const missing = missingScope(deed, rows, scopes)
  if (missing) return { rows: [], reason: missing }
  const obstacle = obstacles[deed]
  if (!obstacle) return { rows, reason: null }
  const possible = rows.filter((row) => !obstacle.applies(row))
  if (possible.length > 0 || rows.length === 0) return { rows: possible, reason: null }
  return { rows: [], reason: rows.length === 1 ? obstacle.one : obstacle.all }
}

function missingScope(deed: Deed, rows: Rows, scopes: readonly string[]): string | null {
  switch (deed) {
    case 'summarize':
      return null
    case 'share':
      // Of one it is shown how it is shared; several are only changed.
      return rows.length > 1 ? recordingCan.share(scopes) : recordingCan.seeSharing(scopes)
    case 'keep':
    case 'watched':
    case 'unwatched':
    case 'delete':
      return recordingCan.change(scopes)
  }
}
