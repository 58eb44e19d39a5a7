import type { AssetCounts, StoredAsset } from '../player/player-messages.ts'
import {
  allCandidates,
  loadableCandidates,
  replacePlaceholders,
  type FoundAsset,
} from '../reader/placeholders.ts'

export type Assets = ReturnType<typeof createAssets>

/** Creates the list of a recording's assets that the player knows; `origin` is the service's. */
export function createAssets(origin: string) {
  const kinds = new Map<string, FoundAsset['kind']>()
  const stored = new Map<string, string>()
  const resolveText = (text: string): string => replacePlaceholders(text, (key) => stored.get(key))

  return {
    find(found: readonly FoundAsset[]) {
      for (const { key, kind } of found) kinds.set(key, kind)
    },
    /** Replaces the known paths of stored assets; returns whether more assets are stored than before. */
    learn(all: readonly StoredAsset[]): boolean {
      const { size } = stored
      for (const { url, path } of all) stored.set(encodeURIComponent(url), origin + path)
      return stored.size > size
    },
    /** Counts the assets found so far that are not stored. */
    missing(): AssetCounts {
      const counts = { image: 0, font: 0, stylesheet: 0 }
      for (const [key, kind] of kinds) if (kind && !stored.has(key)) counts[kind] += 1
      return counts
    },
    resolveText,
    /** Returns a value with paths instead of the placeholders of stored assets; copies only the parts that contain placeholders. */
    resolve: <Value>(value: Value): Value =>
      stored.size === 0 ? value : (resolveIn(value, resolveText) as Value),
  }
}

function resolveIn(value: unknown, resolveText: (text: string) => string): unknown {
  if (typeof value === 'string') return resolveText(value)
  if (!isContainer(value)) return value
  let copy: Record<string, unknown> | undefined
  const change = (key: string, changed: unknown) => {
    if (changed === value[key]) return
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[key] = changed
  }
  for (const key in value) change(key, resolveIn(value[key], resolveText))
  const candidates = copy?.[allCandidates] ?? value[allCandidates]
  if (typeof candidates === 'string') change('srcset', loadableCandidates(candidates))
  return copy ?? value
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
