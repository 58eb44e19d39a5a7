import { contrastQuery, withContrast } from '../../../replay/recorded/adapted-css.ts'
import type { Contrast } from '../../../replay/recorded/page-state.ts'
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
  /** The visitor's contrast, which style sheets show. */
  const visitor: { contrast: Contrast } = { contrast: 'no-preference' }
  const pathOf = (key: string): string | undefined => {
    const path = stored.get(key)
    return path && kinds.get(key) === 'stylesheet' ? path + contrastQuery(visitor.contrast) : path
  }
  const resolveText = (text: string): string =>
    withContrast(replacePlaceholders(text, pathOf), visitor.contrast)

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
    visitor,
    resolveText,
    /** Returns a value with paths instead of the placeholders of stored assets; copies only the parts that contain placeholders. */
    resolve: <Value>(value: Value): Value => resolveIn(value, resolveText) as Value,
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
