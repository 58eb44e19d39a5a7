import type { Selectable } from 'kysely'
import type { SessionRecordingAssetsTable, Store } from './database.ts'

export type AssetRow = Selectable<SessionRecordingAssetsTable>

/** Lists the files that a recording names, with the type of those that are stored. */
export function listAssets(
  store: Store,
  recordingId: number,
): Promise<
  (Pick<AssetRow, 'id' | 'url' | 'project_id' | 'hash' | 'reason'> & { content_type: string | null })[]
> {
  return store
    .selectFrom('session_recording_assets as asset')
    .leftJoin('recorded_assets as content', (join) =>
      join.onRef('content.project_id', '=', 'asset.project_id').onRef('content.hash', '=', 'asset.hash'),
    )
    .select(['asset.id', 'url', 'asset.project_id', 'asset.hash', 'reason', 'content_type'])
    .where('recording_id', '=', recordingId)
    .orderBy('asset.id')
    .execute()
}

export type StoredAsset = Awaited<ReturnType<typeof findStoredAsset>> & {}

/** Finds a stored file of a recording that has not been deleted. */
export function findStoredAsset(store: Store, id: number) {
  return store
    .selectFrom('session_recording_assets as asset')
    .innerJoin('recorded_assets as content', (join) =>
      join.onRef('content.project_id', '=', 'asset.project_id').onRef('content.hash', '=', 'asset.hash'),
    )
    .innerJoin('session_recordings as recording', 'recording.id', 'asset.recording_id')
    .select(['asset.id', 'asset.recording_id', 'asset.project_id', 'url', 'final_url', 'content.hash'])
    .select('content_type')
    .where('asset.id', '=', id)
    .where('recording.deleted_at', 'is', null)
    .executeTakeFirst()
}
