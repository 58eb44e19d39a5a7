import { sql, type RawBuilder } from 'kysely'
import type { recordingActions } from '../../contract/bulk-action.ts'
import { hideRecordings, restoreRecordings } from '../recordings/delete-recordings.ts'
import type { BulkItem, ItemResult } from '../store/runs/bulk-actions.ts'
import { changedSince, type ItemAction, type Work } from './item-action.ts'

/** Recordings per transaction. */
const batchMax = 500
const goneReason = 'Recording not found'

/** The actions on recordings. Objects are identified by their session. */
export const actionsOnRecordings: Record<(typeof recordingActions)[number], ItemAction> = {
  delete_recordings: {
    batchMax,
    async perform(work, items) {
      const hidden = new Set(
        await hideRecordings(work.services, work.services.store, sessionsOf(work, items)),
      )
      return items.map(({ number, object_id: id }) =>
        hidden.has(id) ? done(number, {}) : failed(number, 'Failed', goneReason),
      )
    },
    async undo(work, items) {
      const restored = new Set(await restoreRecordings(work.services.store, sessionsOf(work, items)))
      return undone(items, restored, 'Not undone: its content has been removed.')
    },
  },
  keep_recordings: marking('persisted_at', { sets: true }),
  mark_recordings_viewed: marking('viewed_at', { sets: true }),
  mark_recordings_unviewed: marking('viewed_at', { sets: false }),
}

/**
 * Sets or clears a time of recordings, unless it is already set or clear. With `viewed_at`, the action's user becomes a watcher
 * of each changed recording, or no longer is one.
 */
function marking(name: 'persisted_at' | 'viewed_at', { sets }: { sets: boolean }): ItemAction {
  const column = sql.ref(name)
  return {
    batchMax,
    async perform(work, items) {
      const { services } = work
      const value = sets ? new Date(services.clock.now()) : null
      const watcher = watcherOf(work, name)
      const { rows } = await sql<{
        session_id: string
        replaced: Date | null
        watched_at: Date | null
        applies: boolean
      }>`
        WITH found AS (
          SELECT id, session_id, ${column} AS replaced, ${column} IS ${sql.raw(sets ? 'NULL' : 'NOT NULL')} AS applies,
            (SELECT at FROM recording_watchers WHERE recording_id = session_recordings.id AND ${watcher.isOwn}) AS watched_at
          FROM session_recordings WHERE ${living(work, items)} ORDER BY session_id FOR UPDATE),
        changed AS (
          UPDATE session_recordings SET ${column} = ${value}::timestamptz WHERE id IN (SELECT id FROM found WHERE applies)),
        watched AS (${
          sets
            ? watcher.add(sql`${value}::timestamptz FROM found WHERE applies`)
            : sql`DELETE FROM recording_watchers USING found WHERE recording_id = found.id AND applies AND ${watcher.isOwn}`
        })
        SELECT session_id, replaced, watched_at, applies FROM found`.execute(services.store)
      const found = new Map(rows.map((row) => [row.session_id, row]))
      return items.map(({ number, object_id: id }): ItemResult => {
        const row = found.get(id)
        if (!row) return failed(number, 'Failed', goneReason)
        if (!row.applies) return { number, status: 'Unchanged', reason: null, undo: null }
        return done(number, { value, replaced: row.replaced, watched_at: row.watched_at })
      })
    },
    async undo(work, items) {
      const { services } = work
      const watcher = watcherOf(work, name)
      const { rows } = await sql<{ session_id: string }>`
        WITH restored AS (
          UPDATE session_recordings SET ${column} = (item.undo->>'replaced')::timestamptz
          FROM bulk_action_items item
          WHERE item.bulk_action_id = ${work.action.id} AND item.number = ANY (${items.map(({ number }) => number)}::integer[])
            AND session_id = item.object_id AND ${living(work, items)}
            AND ${column} IS NOT DISTINCT FROM (item.undo->>'value')::timestamptz
          RETURNING session_recordings.id, session_id, (item.undo->>'watched_at')::timestamptz AS watched_at),
        removed AS (
          DELETE FROM recording_watchers USING restored
          WHERE recording_id = restored.id AND watched_at IS NULL AND ${watcher.isOwn}),
        added AS (${watcher.add(sql`watched_at FROM restored WHERE watched_at IS NOT NULL`)})
        SELECT session_id FROM restored`.execute(services.store)
      return undone(items, new Set(rows.map((row) => row.session_id)), changedSince)
    },
  }
}

/** The statements about the action's user as a watcher; they concern nobody unless the action marks recordings as watched. */
function watcherOf({ action }: Work, name: 'persisted_at' | 'viewed_at') {
  const user = name === 'viewed_at' ? action.user_id : null
  return {
    isOwn: sql`user_id = ${user}::uuid AND name = ${action.actor}`,
    /** `source`: the time and the recordings, whose `id` it contains. */
    add: (source: RawBuilder<unknown>) => sql`
      INSERT INTO recording_watchers (recording_id, user_id, name, at)
      SELECT id, ${user}::uuid, ${action.actor}, ${source} AND ${user}::uuid IS NOT NULL
      ON CONFLICT (recording_id, user_id, name) DO UPDATE SET at = excluded.at`,
  }
}

function living({ action }: Work, items: readonly BulkItem[]): RawBuilder<boolean> {
  const ids = items.map((item) => item.object_id)
  return sql`project_id = ${action.project_id} AND session_id = ANY (${ids}::text[]) AND deleted_at IS NULL`
}

function sessionsOf({ action }: Work, items: readonly BulkItem[]) {
  return {
    projectId: action.project_id,
    sessionIds: items.map((item) => item.object_id),
    bulkActionId: action.id,
  }
}

function done(number: number, undo: object): ItemResult {
  return { number, status: 'Done', reason: null, undo }
}

function failed(number: number, status: 'Failed' | 'NotUndone', reason: string): ItemResult {
  return { number, status, reason, undo: null }
}

function undone(items: readonly BulkItem[], restored: ReadonlySet<string>, otherwise: string): ItemResult[] {
  return items.map(({ number, object_id: id }) =>
    restored.has(id)
      ? { number, status: 'Undone', reason: null, undo: null }
      : failed(number, 'NotUndone', otherwise),
  )
}
