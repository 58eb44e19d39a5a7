import { createHash } from 'node:crypto'
import { selectedShare, selectionText, type Selected } from '../../store/recordings/recordings-list.ts'
import { cached } from '../../store/schema/cached.ts'
import type { Store } from '../../store/schema/database.ts'

/** Time (ms) for which a share is used again, so that the pages of a list agree on their count. */
const freshMs = 60_000
/** Characters of a selection; longer ones name many sessions, and hashing them would take as long as a sample. */
const textMax = 100_000

/** Returns the share that `selectedShare` estimated in the last minute while the project had as many recordings, or estimates it. */
export async function rememberedShare(store: Store, selected: Selected, total: number): Promise<number> {
  const text = selectionText(store, selected)
  if (text.length > textMax) return await selectedShare(store, selected)
  const freshness = { now: performance.now(), freshMs }
  const hash = createHash('sha256').update(text).digest('base64')
  return await cached(store, `share ${total} ${hash}`, freshness, () => selectedShare(store, selected))
}
