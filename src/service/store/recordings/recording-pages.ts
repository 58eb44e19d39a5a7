import { sql, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { SessionRecordingPagesTable } from '../schema/recording-tables.ts'
import { findRow } from '../schema/rows.ts'

export type StoredPage = Omit<Selectable<SessionRecordingPagesTable>, 'recording_id'>

/** Returns the compressed lines of the page at the start of a block; undefined if none is stored. */
export async function findPage(store: Store, recordingId: number, number: number) {
  const page = await findRow(store, 'session_recording_pages', { recording_id: recordingId, number })
  return page?.lines
}

/** Replaces the stored pages of a recording, unless it has been deleted. Two readers of one recording wait for each other. */
export async function storePages(store: Store, recordingId: number, pages: readonly StoredPage[]) {
  await store.transaction().execute(async (transaction) => {
    // A deletion that begins later waits, then deletes the pages with their blocks.
    const undeleted = { id: recordingId, deleted_at: null }
    const known = await findRow(transaction, 'session_recordings', undeleted, sql`FOR NO KEY UPDATE`)
    if (!known) return
    const numbers = pages.map(({ number }) => number)
    await sql`DELETE FROM session_recording_pages
      WHERE recording_id = ${recordingId} AND number <> ALL(${numbers}::integer[])`.execute(transaction)
    for (const page of pages)
      await transaction
        .insertInto('session_recording_pages')
        .values({ recording_id: recordingId, ...page })
        .onConflict((conflict) =>
          conflict
            .columns(['recording_id', 'number'])
            .doUpdateSet(page)
            // A session that continued has the same pages as before.
            .where('session_recording_pages.lines', '!=', page.lines),
        )
        .execute()
  })
}
