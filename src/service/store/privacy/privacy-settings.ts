import type { z } from 'zod'
import {
  defaultPrivacySettings,
  type PrivacySettings,
  type PrivacySettingsUpdate,
} from '../../../contract/privacy/privacy-settings.ts'
import type { Store } from '../schema/database.ts'

const columns = Object.keys(defaultPrivacySettings) as (keyof PrivacySettings)[]

/** Returns a project's privacy settings; the defaults until a setting is changed. */
export async function privacySettings(store: Store, projectId: number): Promise<PrivacySettings> {
  const settings = store.selectFrom('privacy_settings').select(columns)
  return (await settings.where('project_id', '=', projectId).executeTakeFirst()) ?? defaultPrivacySettings
}

/** Changes some of a project's privacy settings; returns all settings. */
export async function changePrivacySettings(
  store: Store,
  projectId: number,
  changes: z.infer<typeof PrivacySettingsUpdate>,
): Promise<PrivacySettings> {
  await store
    .insertInto('privacy_settings')
    .values({ ...defaultPrivacySettings, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await store
    .updateTable('privacy_settings')
    .set({ project_id: projectId, ...changes })
    .where('project_id', '=', projectId)
    .returning(columns)
    .executeTakeFirstOrThrow()
}
