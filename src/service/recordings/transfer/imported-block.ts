import { isReplayEvent } from '../../snapshots/is-replay-event.ts'
import { joinCounts, type RecordingCounts } from '../../snapshots/recording-counts.ts'
import { depthMax, depthOf } from '../../capture/read-body.ts'
import { uuidOfText } from '../../capture/persons/person-id.ts'
import { contentOf } from '../../capture/replay/replay-item.ts'
import type { RecordedEvent } from '../../../replay/recorded/rrweb.ts'
import type { SnapshotSource } from '../../../contract/recordings/snapshot-source.ts'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import { DamagedFile } from './seal.ts'

type Session = { team_id: number; session_id: string }
type Visitor = { distinctId: string; source: SnapshotSource }

/** What the store and the warehouse keep of a block. */
export type ImportedBlock = {
  counts: RecordingCounts
  full_snapshots: WindowTime[]
  active_windows: WindowTime[]
  /** Rows as JSON. */
  consoleEntries: string[]
  failedRequests: string[]
}

const windowIdLengthMax = 200

/** Reads the lines of a block as capture does. @throws DamagedFile if one of them is no snapshot. */
export function importedBlock(lines: readonly string[], session: Session, visitor: Visitor): ImportedBlock {
  const snapshots = lines.map(readSnapshot)
  const contents = [...Map.groupBy(snapshots, ({ window }) => window)].map(([window, own]) => {
    const events = own.map(({ event }) => event)
    return { window, content: contentOf(events, window, visitor, Infinity) }
  })
  const [first, ...others] = contents.flatMap(({ content }) => content.counts ?? [])
  if (!first) throw new DamagedFile('a block has no snapshots')
  const item = uuidOfText(`${session.session_id}\n${lines.join('\n')}`)
  return {
    counts: others.reduce(joinCounts, first),
    full_snapshots: contents.flatMap(({ window, content }) =>
      content.fullSnapshots.map((time): WindowTime => [window, time]),
    ),
    active_windows: contents.flatMap(({ window, content }): WindowTime[] =>
      content.activeUntil === null ? [] : [[window, content.activeUntil]],
    ),
    consoleEntries: contents.flatMap(({ window, content }) =>
      content.consoleEntries.map(({ timestamp, ...entry }) =>
        JSON.stringify({
          ...entry,
          timestamp: new Date(timestamp).toISOString(),
          ...session,
          window_id: window,
          item: uuidOfText(`${item} ${window}`),
        }),
      ),
    ),
    failedRequests: contents.flatMap(({ content }) =>
      content.failedRequests.map((request) => JSON.stringify({ ...session, ...request })),
    ),
  }
}

function readSnapshot(line: string): { window: string; event: RecordedEvent } {
  if (depthOf(line) > depthMax) throw new DamagedFile('a snapshot is nested too deeply')
  const [window, event, ...rest] = parseList(line)
  const isWindow = typeof window === 'string' && window.length <= windowIdLengthMax
  if (!isWindow || !isReplayEvent(event) || rest.length > 0)
    throw new DamagedFile('one of its lines is not a snapshot')
  return { window, event }
}

function parseList(line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) ? value : []
  } catch (cause) {
    throw new DamagedFile('one of its lines is not JSON', { cause })
  }
}
