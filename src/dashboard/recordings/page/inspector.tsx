import type { ReactNode } from 'react'
import { ConsoleTab } from '../console/console-tab.tsx'
import { NetworkTab } from '../network/network-tab.tsx'
import { TabLink } from '../../ui/tab-link.tsx'
import { EventsList } from './events-list.tsx'
import { inspectorTabs, type InspectorProps, type InspectorTab } from '../moments/inspector-params.ts'
import { NotesTab } from '../notes/notes-tab.tsx'
import { PersonTab } from './person-tab.tsx'
import { SimilarTab } from './similar-tab.tsx'
import { SummaryPanel } from '../summary/summary-panel.tsx'

const tabs: Record<InspectorTab, { name: string; Tab: (props: InspectorProps) => ReactNode }> = {
  summary: { name: 'Summary', Tab: SummaryTab },
  events: { name: 'Events', Tab: EventsList },
  network: { name: 'Network', Tab: NetworkTab },
  console: { name: 'Console', Tab: ConsoleTab },
  notes: { name: 'Notes', Tab: NotesTab },
  person: { name: 'Person', Tab: PersonTab },
  similar: { name: 'Similar', Tab: SimilarTab },
}

/** The tabs beside the player: summary, events, network, console, notes, person and similar sessions. */
export function Inspector(props: InspectorProps) {
  const { recording, tab } = props
  const { Tab } = tabs[tab]
  return (
    <section
      aria-label="Inspector"
      className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border border-line bg-raised max-[999px]:h-120 max-[999px]:flex-none"
    >
      <h2 className="sr-only">Inspector</h2>
      <nav
        aria-label="Inspector"
        className="fade-hint flex shrink-0 scrollbar-none justify-between gap-x-1 overflow-x-auto border-b border-line px-2.5 pt-1 text-xs tracking-tight max-sm:px-2 max-sm:text-[11.5px]"
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
            {tabs[each].name}
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

/** The session's summary; a click on a sentence seeks to its moment. */
function SummaryTab({ recording, player }: InspectorProps) {
  return (
    <div className="overflow-y-auto p-3.5">
      <SummaryPanel recordingId={recording.id} onSeek={(seconds) => player.seek(seconds * 1000)} />
    </div>
  )
}
