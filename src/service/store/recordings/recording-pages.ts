import { sql, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { SessionRecordingPagesTable } from '../schema/recording-tables.ts'

export type StoredPage = Omit<Selectable<SessionRecordingPagesTable>, 'recording_id'>

/** Returns the compressed lines of the page at the start of a block; undefined if none is stored. */
export async function findPage(store: Store, recordingId: number, number: number) {
  const page = await store
    .selectFrom('session_recording_pages')
    .select('lines')
    .where('recording_id', '=', recordingId)
    .where('number', '=', number)
    .executeTakeFirst()
  return page?.lines
}

/** Replaces the stored pages of a recording, unless it has been deleted. Two readers of one recording wait for each other. */
export async function storePages(store: Store, recordingId: number, pages: readonly StoredPage[]) {
  await store.transaction().execute(async (transaction) => {
    // A deletion that begins later waits, then deletes the pages with their blocks.
    const known = await transaction
      .selectFrom('session_recordings')
      .select('id')
      .where('id', '=', recordingId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
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
