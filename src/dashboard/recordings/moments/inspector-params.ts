import type { WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import type { Player } from '../player/player.ts'

/** The inspector's search parameters, in a separate file because the router parses them before the page loads. */
export const inspectorTabs = [
  'summary',
  'events',
  'network',
  'console',
  'notes',
  'person',
  'similar',
] as const
export type InspectorTab = (typeof inspectorTabs)[number]

export const rowFilters = ['all', 'events', 'console', 'errors', 'network'] as const
export type RowFilter = (typeof rowFilters)[number]

export type InspectorProps = {
  recording: WatchedRecording
  player: Player
  tab: InspectorTab
  filter: RowFilter
  onFilter: (filter: RowFilter) => void
}
