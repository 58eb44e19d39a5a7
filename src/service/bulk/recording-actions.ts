import { sql, type RawBuilder } from 'kysely'
import type { recordingActions } from '../../contract/bulk-action.ts'
import { hideRecordings, restoreRecordings } from '../recordings/delete-recordings.ts'
import type { BulkItem, ItemResult } from '../store/bulk-actions.ts'
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
  keep_recordings: marking('persisted_at', { set: true, onlyIf: 'unset' }),
  mark_recordings_viewed: marking('viewed_at', { set: true, onlyIf: 'unset' }),
  mark_recordings_unviewed: marking('viewed_at', { set: false, onlyIf: 'set' }),
}

/** Sets or clears a time of recordings, unless it is already set or clear. */
function marking(
  name: 'persisted_at' | 'viewed_at',
  { set, onlyIf }: { set: boolean; onlyIf: 'set' | 'unset' },
): ItemAction {
  const column = sql.ref(name)
  return {
    batchMax,
    async perform(work, items) {
      const { services } = work
      const value = set ? new Date(services.clock.now()) : null
      const { rows } = await sql<{ session_id: string; replaced: Date | null; applies: boolean }>`
        WITH found AS (
          SELECT id, session_id, ${column} AS replaced, ${column} IS ${sql.raw(onlyIf === 'set' ? 'NOT NULL' : 'NULL')} AS applies
          FROM session_recordings WHERE ${living(work, items)} ORDER BY session_id FOR UPDATE),
        changed AS (
          UPDATE session_recordings SET ${column} = ${value}::timestamptz WHERE id IN (SELECT id FROM found WHERE applies))
        SELECT session_id, replaced, applies FROM found`.execute(services.store)
      const found = new Map(rows.map((row) => [row.session_id, row]))
      return items.map(({ number, object_id: id }): ItemResult => {
        const row = found.get(id)
        if (!row) return failed(number, 'Failed', goneReason)
        if (!row.applies) return { number, status: 'Unchanged', reason: null, undo: null }
        return done(number, { value, replaced: row.replaced })
      })
    },
    async undo(work, items) {
      const { services } = work
      const { rows } = await sql<{ session_id: string }>`
        UPDATE session_recordings SET ${column} = (item.undo->>'replaced')::timestamptz
        FROM bulk_action_items item
        WHERE item.bulk_action_id = ${work.action.id} AND item.number = ANY (${items.map(({ number }) => number)}::integer[])
          AND session_id = item.object_id AND ${living(work, items)}
          AND ${column} IS NOT DISTINCT FROM (item.undo->>'value')::timestamptz
        RETURNING session_id`.execute(services.store)
      return undone(items, new Set(rows.map((row) => row.session_id)), changedSince)
    },
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
