import type { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'

/** Changes settings, reports `done`, and offers to undo the change. */
export type ChangeSettings = (changes: Partial<RecordingSettings>, done: string) => void

export type SettingProps = {
  settings: RecordingSettings
  /** Why the settings cannot be changed; null if they can be. */
  reason: string | null
  change: ChangeSettings
}
