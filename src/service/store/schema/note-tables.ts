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

export type RecordingCollectionsTable = {
  id: string
  project_id: number
  name: string
  /** Query string of the recordings list; null if the collection is made by hand. */
  query: string | null
  /** Label of the key that created it. */
  actor: string
  created_at: Date
  updated_at: Date
}

export type CollectionItemsTable = { collection_id: string; recording_id: number }
