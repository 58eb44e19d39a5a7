import { selectedShare, selectionText, type Selected } from '../../store/recordings/recordings-list.ts'
import type { Store } from '../../store/schema/database.ts'

/** Time (ms) for which a share is used again: that of a page is that of the pages after it. */
const ageMax = 60_000
const sharesMax = 1000
/** Characters of a selection; longer ones name sessions, and comparing them would take as long as a sample. */
const textMax = 5000

type Share = { at: number; share: Promise<number> }
/** Shares by their selections, oldest first. */
const shares = new WeakMap<Store, Map<string, Share>>()

/** Returns the share that `selectedShare` estimated in the last minute while the project had as many recordings, or estimates it. */
export async function rememberedShare(store: Store, selected: Selected, total: number): Promise<number> {
  const text = selectionText(store, selected)
  if (text.length > textMax) return await selectedShare(store, selected)
  const name = `${total} ${text}`
  const known = shares.get(store) ?? new Map<string, Share>()
  shares.set(store, known)
  const before = known.get(name)
  if (before && performance.now() - before.at < ageMax) return await before.share
  known.delete(name)
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= sharesMax) known.delete(oldest)
  const share = selectedShare(store, selected)
  known.set(name, { at: performance.now(), share })
  share.catch(() => known.delete(name))
  return await share
}
