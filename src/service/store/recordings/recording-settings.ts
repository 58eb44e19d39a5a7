import type { Updateable } from 'kysely'
import {
  defaultRecordingSettings,
  type RecordingSettings,
} from '../../../contract/recordings/recording-settings.ts'
import type { Store } from '../schema/database.ts'
import type { RecordingSettingsTable } from '../schema/recording-tables.ts'

const columns = [
  'canvas',
  'page_state',
  'network_headers',
  'network_bodies',
  'assets',
  'asset_hosts',
] as const

/** Returns a project's recording settings; the defaults until a setting is changed. */
export async function recordingSettings(store: Store, projectId: number): Promise<RecordingSettings> {
  const settings = store.selectFrom('recording_settings').select(columns)
  return (await settings.where('project_id', '=', projectId).executeTakeFirst()) ?? defaultRecordingSettings
}

/** Changes some of a project's recording settings; returns all settings. */
export async function changeRecordingSettings(
  store: Store,
  projectId: number,
  changes: Updateable<RecordingSettingsTable>,
): Promise<RecordingSettings> {
  await store
    .insertInto('recording_settings')
    .values({ ...defaultRecordingSettings, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await store
    .updateTable('recording_settings')
    .set({ project_id: projectId, ...changes })
    .where('project_id', '=', projectId)
    .returning(columns)
    .executeTakeFirstOrThrow()
}
