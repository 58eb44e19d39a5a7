import { createHash } from 'node:crypto'
import { selectedShare, selectionText, type Selected } from '../../store/recordings/recordings-list.ts'
import { cached } from '../../store/schema/cached.ts'
import type { Store } from '../../store/schema/database.ts'
import { remember } from '../../store/schema/remember.ts'

/** Time (ms) for which a share is used again, so that the pages of a list agree on their count. */
const freshMs = 60_000
/** Characters of a selection; longer ones name many sessions, and hashing them would take as long as a sample. */
const textMax = 100_000

/** Shares found by walks through lists, by the hashes of their filters, oldest first. */
const walkedShares = new WeakMap<Store, Map<string, { at: number; share: number }>>()
/** Walks remembered per store. */
const walksMax = 1000

/**
 * Returns the share, from 0 to 1, that a walk with this filter found in the last minute, and a function that remembers the share
 * that a walk has found.
 */
export function walkedShare(store: Store, filter: string) {
  if (filter.length > textMax) return { share: null, rememberShare: () => undefined }
  const shares = walkedShares.get(store) ?? new Map<string, { at: number; share: number }>()
  walkedShares.set(store, shares)
  const key = hashOf(filter)
  const known = shares.get(key)
  const rememberShare = (share: number) => remember(shares, key, { at: performance.now(), share }, walksMax)
  return { share: known && performance.now() - known.at < freshMs ? known.share : null, rememberShare }
}

/** Returns the share that `selectedShare` estimated in the last minute while the project had as many recordings, or estimates it. */
export async function rememberedShare(store: Store, selected: Selected, total: number): Promise<number> {
  const text = selectionText(store, selected)
  if (text.length > textMax) return await selectedShare(store, selected)
  const freshness = { now: performance.now(), freshMs }
  const key = `share ${total} ${hashOf(text)}`
  return await cached(store, key, freshness, () => selectedShare(store, selected))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
