import { sharedRecordingsMax } from '../../../contract/recordings/recording-rules.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { SharedCollection, SharingRow } from '../../store/recordings/recording-sharing.ts'
import { recordingsById } from '../../store/recordings/recording-details.ts'
import { findRecording, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { pageOfRecordings } from '../filter/filter-page.ts'
import { withPatterns } from '../filter/filter-patterns.ts'

/** Milliseconds for which a collection's newest recordings stay known, so that many visitors cost one search. */
const keptMs = 5000

type Newest = { ids: readonly number[]; sessions: ReadonlySet<string>; hasMore: boolean }

/** The recordings that links to collections show: the newest in the collection that exist at the time of the request. */
export type SharedCollections = ReturnType<typeof openSharedCollections>

export function openSharedCollections(services: Services) {
  /** `until` is Infinity during a search, so that a slow one is not started again. */
  const kept = new Map<string, { newest: Promise<Newest>; until: number }>()
  const newestOf = (collection: SharedCollection): Promise<Newest> => {
    const now = services.clock.now()
    for (const [key, { until }] of kept) if (until <= now) kept.delete(key)
    // A change of the collection takes effect at once.
    const key = `${collection.id} ${collection.updated_at.getTime()}`
    const known = kept.get(key)
    if (known) return known.newest
    const newest = findNewest(services, collection)
    const entry = { newest, until: Infinity }
    kept.set(key, entry)
    newest.then(
      () => (entry.until = services.clock.now() + keptMs),
      () => kept.delete(key),
    )
    return newest
  }
  return {
    async list(collection: SharedCollection, link: SharingRow) {
      const { ids, hasMore } = await newestOf(collection)
      const recordings = await recordingsById(services.store, ids)
      return { recordings: recordings.filter((row) => isShown(row, link)), hasMore }
    },
    /** Finds the recording of a session; undefined if the link does not show it. */
    async find(collection: SharedCollection, link: SharingRow, sessionId: string) {
      const { sessions } = await newestOf(collection)
      if (!sessions.has(sessionId)) return undefined
      const row = await findRecording(services.store, collection.project_id, sessionId)
      return row && isShown(row, link) ? row : undefined
    },
  }
}

async function findNewest(services: Services, { id, project_id }: SharedCollection): Promise<Newest> {
  const newestFirst = { order: 'start_time', order_direction: 'DESC' } as const
  const query = { collection: id, limit: sharedRecordingsMax, offset: 0, ...newestFirst }
  try {
    const page = await withPatterns(() => pageOfRecordings(services, project_id, query))
    const recordings = await recordingsById(services.store, page.ids)
    const sessions = new Set(recordings.map((row) => row.session_id))
    return { ids: recordings.map((row) => row.id), sessions, hasMore: page.hasNext }
  } catch (error) {
    // Visitors cannot repair a rule that a later version rejects; it selects nothing.
    if (error instanceof ApiError && error.details.status === 400)
      return { ids: [], sessions: new Set(), hasMore: false }
    throw error
  }
}

/** The screen of an app has no elements that a selector could mask. */
function isShown({ snapshot_source }: Pick<RecordingRow, 'snapshot_source'>, { masks }: SharingRow): boolean {
  return snapshot_source !== 'mobile' || masks.every(({ kind }) => kind !== 'selector')
}
