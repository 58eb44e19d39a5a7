import type { WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import { ConsoleTab } from '../console/console-tab.tsx'
import { NetworkTab } from '../network/network-tab.tsx'
import { TabLink } from '../../ui/tab-link.tsx'
import type { Player } from '../player/player.ts'
import { EventsList } from './events-list.tsx'
import { inspectorTabs, type InspectorTab, type RowFilter } from '../moments/inspector-params.ts'
import { NotesTab } from '../notes/notes-tab.tsx'
import { PersonTab } from './person-tab.tsx'
import { SimilarTab } from './similar-tab.tsx'
import { SummaryPanel } from '../summary/summary-panel.tsx'

const names: Record<InspectorTab, string> = {
  summary: 'Summary',
  events: 'Events',
  network: 'Network',
  console: 'Console',
  notes: 'Notes',
  person: 'Person',
  similar: 'Similar',
}

type InspectorProps = {
  projectId: string
  recording: WatchedRecording
  player: Player
  tab: InspectorTab
  filter: RowFilter
  onFilter: (filter: RowFilter) => void
}

/** The tabs beside the player: summary, events, network, console, notes, person and similar sessions. */
export function Inspector(props: InspectorProps) {
  const { recording } = props
  return (
    <section
      aria-label="Inspector"
      className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border border-line bg-raised max-[999px]:h-120 max-[999px]:flex-none"
    >
      <h2 className="sr-only">Inspector</h2>
      <nav
        aria-label="Inspector"
        className="flex shrink-0 flex-wrap gap-x-2.5 border-b border-line px-3 pt-1"
      >
        {inspectorTabs.map((each) => (
          <TabLink
            key={each}
            to="/recordings/$id"
            params={{ id: recording.id }}
            search={(search) => ({ ...search, tab: each === 'summary' ? undefined : each })}
            activeOptions={{ explicitUndefined: true }}
            replace
            resetScroll={false}
          >
            {names[each]}
            {each === 'notes' && recording.note_count > 0 && (
              <span className="ml-1 text-ink-3">{recording.note_count}</span>
            )}
          </TabLink>
        ))}
      </nav>
      <Tab {...props} />
    </section>
  )
}

function Tab({ projectId, recording, player, tab, filter, onFilter }: InspectorProps) {
  const { id } = recording
  switch (tab) {
    case 'events':
      return (
        <EventsList
          projectId={projectId}
          recordingId={id}
          player={player}
          filter={filter}
          onFilter={onFilter}
        />
      )
    case 'network':
      return <NetworkTab recordingId={id} pageUrl={recording.start_url} player={player} />
    case 'console':
      return <ConsoleTab player={player} />
    case 'notes':
      return <NotesTab projectId={projectId} recordingId={id} player={player} />
    case 'summary':
      return <SummaryTab projectId={projectId} recordingId={id} player={player} />
    case 'similar':
      return <SimilarTab projectId={projectId} recordingId={id} />
    case 'person':
      return <PersonTab recording={recording} />
    default:
      return tab satisfies never
  }
}

/** The session's summary; a click on a sentence seeks to its moment. */
function SummaryTab({ player, ...recording }: { projectId: string; recordingId: string; player: Player }) {
  return (
    <div className="overflow-y-auto p-3.5">
      <SummaryPanel {...recording} onSeek={(seconds) => player.seek(seconds * 1000)} />
    </div>
  )
}
