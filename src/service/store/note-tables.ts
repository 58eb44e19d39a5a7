export type RecordingNotesTable = {
  id: string
  recording_id: number
  project_id: number
  user_id: string
  /** Label that the author's key had. */
  author: string
  /** Seconds from the recording's start. */
  at: number
  text: string
  created_at: Date
  updated_at: Date
}

/** Who watched a recording, by the labels of their keys, and when they last did. */
export type RecordingWatchersTable = { recording_id: number; user_id: string; name: string; at: Date }
