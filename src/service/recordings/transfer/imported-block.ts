import { isReplayEvent } from '../../snapshots/is-replay-event.ts'
import { joinCounts } from '../../snapshots/recording-counts.ts'
import { depthMax, depthOf } from '../../capture/read-body.ts'
import { uuidOfText } from '../../capture/persons/person-id.ts'
import { consoleLines, failedRequestLines, windowTimes } from '../../capture/replay/item-rows.ts'
import { contentOf } from '../../capture/replay/replay-item.ts'
import type { RecordedEvent } from '../../../replay/recorded/rrweb.ts'
import type { SnapshotSource } from '../../../contract/recordings/snapshot-source.ts'
import type { SessionKey } from '../../store/recordings/recording-blocks.ts'
import { DamagedFile } from './seal.ts'

type Visitor = { distinctId: string; source: SnapshotSource }

/** What the store and the warehouse keep of a block. */
export type ImportedBlock = ReturnType<typeof importedBlock>

const windowIdLengthMax = 200

/** Reads the lines of a block as capture does. @throws DamagedFile if one of them is no snapshot. */
export function importedBlock(lines: readonly string[], session: SessionKey, visitor: Visitor) {
  const block = uuidOfText(`${session.session_id}\n${lines.join('\n')}`)
  const windows = Map.groupBy(lines.map(readSnapshot), ({ window }) => window)
  const items = Array.from(windows, ([windowId, snapshots]) => {
    const events = snapshots.map(({ event }) => event)
    const uuid = uuidOfText(`${block} ${windowId}`)
    return { uuid, windowId, ...contentOf(events, windowId, visitor, Infinity) }
  })
  const [first, ...others] = items.flatMap(({ counts }) => counts ?? [])
  if (!first) throw new DamagedFile('a block has no snapshots')
  return {
    counts: others.reduce(joinCounts, first),
    ...windowTimes(items),
    /** Rows as JSON. */
    consoleEntries: consoleLines(session, items),
    failedRequests: failedRequestLines(session, items),
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
