import type { ColumnType, Generated } from 'kysely'
import type { BaseState } from '../../../replay/recorded/page-base.ts'
import type { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import type { LinkShows } from '../../../contract/recordings/recording-rules.ts'
import type { LinkMask, RecordingLink } from '../../../contract/recordings/sharing.ts'
import type { SnapshotSource } from '../../../contract/recordings/snapshot-source.ts'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'

export type RecordingSettingsTable = RecordingSettings & { project_id: number }

/** Columns of a recording that are counted from its snapshots, in whatever order these arrive. */
export type CountedColumns = {
  distinct_id: string
  snapshot_source: SnapshotSource
  start_time: Date
  end_time: Date
  activity: number[]
  click_count: number
  keypress_count: number
  mouse_activity_count: number
  console_log_count: number
  console_warn_count: number
  console_error_count: number
  /** Null if parts of the recording were stored before requests were counted. */
  failed_request_count: Generated<number | null>
  start_url: string
  start_url_at: Date | null
}

export type SessionRecordingsTable = CountedColumns & {
  id: Generated<number>
  project_id: number
  session_id: string
  /** From `visitorWords`. */
  visitor_words: number | null
  /** In seconds, like `active_seconds` and `inactive_seconds`. */
  recording_duration: number
  active_seconds: number
  inactive_seconds: number
  /** Events that could not be stored; null for recordings from before they were counted. */
  dropped_events: Generated<number | null>
  /** Known properties of the sender's clock, in milliseconds; null if unknown. */
  sender_clock: Generated<{ lag: number; shift: number; latest: number } | null>
  block_count: number
  created_at: Date
  last_updated_at: Date
  viewed_at: Date | null
  persisted_at: Date | null
  path_made_at: Date | null
  facts_made_at: Generated<Date | null>
  /** `last_updated_at` of the data that the warehouse has. */
  mirrored_at: Generated<Date | null>
  deleted_at: Date | null
  /** The bulk action whose undo can restore the recording. */
  deleted_by: Generated<string | null>
  asset_block_count: Generated<number>
  /** Written as JSON text. */
  asset_bases: ColumnType<Record<string, BaseState> | null, string | null | undefined, string | null>
  /** Blocks are searched again then, because too many files were waiting; null if they are searched at once. */
  asset_search_at: Generated<Date | null>
}

export type SessionRecordingBlocksTable = {
  recording_id: number
  number: number
  object_key: string
  start_time: Date
  end_time: Date
  bytes: number
  items: string[]
  full_snapshots: ColumnType<WindowTime[], string, never>
  /** Each window that the visitor used, with the time of the last action. */
  active_windows: ColumnType<WindowTime[], string, never>
}

/** A page at the start of a block, which the service has computed. */
export type SessionRecordingPagesTable = {
  recording_id: number
  /** Number of the block. */
  number: number
  window_id: string
  /** Bytes of the lines before compression. */
  bytes: number
  /** Events that show the page, as JSON lines, compressed with zstd. */
  lines: Buffer
}

export type SessionRecordingSharingTable = {
  id: Generated<string>
  /** What the link opens: a recording, or else a collection. */
  recording_id: number | null
  collection_id: string | null
  /** Whether a collection's link names visitors. */
  names: Generated<boolean>
  is_default: Generated<boolean>
  generation: number
  token_hash: Buffer
  enabled: boolean
  expires_at: Date | null
  /** When the link was disabled; null if it is enabled or never was. */
  revoked_at: Date | null
  password_hash: string | null
  created_at: Date
  views: Generated<number>
  last_viewed_at: Date | null
  start_at: Date | null
  end_at: Date | null
  shows: Generated<LinkShows>
  masks: ColumnType<LinkMask[], string | undefined, string>
  label: Generated<string>
  highlights: RecordingLink['highlights']
}

/** A saved view of the recordings list. */
export type RecordingViewsTable = {
  id: string
  project_id: number
  user_id: string
  name: string
  query: string
  shared: boolean
  created_at: Date
  last_updated_at: Date
}

export type RecordedAssetsTable = { project_id: number; hash: Buffer; content_type: string; bytes: number }

/** A file that a recording names. */
export type SessionRecordingAssetsTable = {
  id: Generated<number>
  recording_id: number
  project_id: number
  url: string
  host: string
  is_stylesheet: boolean
  depth: number
  /** Number of the files that the recording named before. */
  turn: Generated<number>
  /** Failed attempts to fetch the file. */
  attempts: Generated<number>
  retry_at: Generated<Date | null>
  claimed_until: Date | null
  fetched_at: Date | null
  hash: Buffer | null
  final_url: string | null
  reason: string | null
}

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

export type RecordingTables = {
  recording_notes: RecordingNotesTable
  /** Members whom notes mention; `read_at` is null until they open the recording. */
  note_mentions: {
    note_id: string
    user_id: string
    project_id: number
    created_at: Date
    read_at: Date | null
  }
  /** Who watched a recording, by the labels of their keys, and when they last did. */
  recording_watchers: { recording_id: number; user_id: string; name: string; at: Date }
  recording_collections: RecordingCollectionsTable
  recording_collection_items: { collection_id: string; recording_id: number }
  recording_settings: RecordingSettingsTable
  recording_views: RecordingViewsTable
  session_recordings: SessionRecordingsTable
  session_recording_counts: { project_id: number; count: number }
  /** Numbers to add up by hour: how many recordings start in it. */
  session_recording_hours: { project_id: number; hour: Date; count: number }
  session_recording_blocks: SessionRecordingBlocksTable
  session_recording_pages: SessionRecordingPagesTable
  session_recording_summaries: {
    recording_id: number
    block_count: number
    content: string
    summary: ColumnType<RecordingSummary, string, string>
  }
  session_recording_sharing: SessionRecordingSharingTable
  session_recording_assets: SessionRecordingAssetsTable
  /** Missing files of a recording that have no row of their own. */
  session_recording_refused_assets: {
    recording_id: number
    url_hashes: string[]
    /** Number of files by reason. */
    reasons: Record<string, number>
  }
  asset_fetch_counts: { name: string; until: Date; count: number }
  recorded_assets: RecordedAssetsTable
}
