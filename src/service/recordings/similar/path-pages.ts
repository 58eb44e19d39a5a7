import { EventType } from '../../../replay/recorded/rrweb.ts'
import type { Services } from '../../services.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { readBlock } from '../../snapshots/blocks.ts'
import type { PathRow } from './path-steps.ts'

/** Blocks read per session; the start of its path is enough for comparison. */
const blocksMax = 50

/** Reads the pages of a path from the replay, for sessions without captured pageviews. */
export async function pagesInReplay(
  { store, objects }: Pick<Services, 'store' | 'objects'>,
  recording: Pick<RecordingRow, 'id'>,
): Promise<PathRow[]> {
  const blocks = await store
    .selectFrom('session_recording_blocks')
    .select('object_key')
    .where('recording_id', '=', recording.id)
    .orderBy('start_time')
    .limit(blocksMax)
    .execute()
  const pages: PathRow[] = []
  for (const { object_key } of blocks) {
    const block = await readBlock(objects, object_key)
    for (const line of block.toString('utf8').split('\n')) {
      // Nearly all lines are other events, and parsing them would take most of the time.
      if (line.includes(`"type":${EventType.Meta}`)) pages.push(...pageOf(JSON.parse(line)))
    }
  }
  return pages
}

function pageOf(line: [windowId: string, event: Record<string, unknown>]): PathRow[] {
  const { type, timestamp, data } = line[1]
  if (type !== EventType.Meta || typeof timestamp !== 'number' || typeof data !== 'object' || data === null)
    return []
  if (!('href' in data) || typeof data.href !== 'string') return []
  const text = new Date(timestamp).toISOString().replace('T', ' ').replace('Z', '')
  return [{ timestamp: text, event: 'page', url: data.href, action: '', elements_chain: '', pattern: '' }]
}
