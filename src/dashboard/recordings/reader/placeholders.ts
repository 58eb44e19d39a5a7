import { assetUrl, rewriteSrcset } from '../../../replay/recorded/asset-url.ts'
import { rewriteCss } from '../../../replay/recorded/css-references.ts'
import type { AssetCounts } from '../player/player-messages.ts'

/** A file that a recording shows but does not hold, or holds elsewhere (null). `key` identifies it in its placeholders. */
export type FoundAsset = { key: string; kind: keyof AssetCounts | null }

/** Start of a placeholder: an empty `data:` URL, which ends with the asset's key. */
export const placeholderStart = 'data:text/css,recorded;'
/** Attribute with all candidates of a `srcset`. The `srcset` itself has only those that can be loaded. */
export const allCandidates = 'recorded-srcset'

const placeholder = /data:text\/css,recorded;([\w%.!~*'()-]*)/g

export type Placeholders = ReturnType<typeof createPlaceholders>

/**
 * Creates functions that put placeholders in the place of references to assets. Events keep them, because the paths of
 * stored assets expire and some assets arrive late; a placeholder becomes a path when its event is rendered.
 */
export function createPlaceholders() {
  const known = new Set<string>()
  let found: FoundAsset[] = []

  /** Returns the placeholder for a reference; `base` is the URL of the page. */
  const hold = (reference: string, base: string, kind: FoundAsset['kind']): string => {
    const url = assetUrl(reference, base)
    // Only assets with a URL can be stored; the others are listed as missing.
    const key = encodeURIComponent((url ?? reference.slice(0, 100)).toWellFormed())
    if (!known.has(key) || kind === null) found.push({ key, kind })
    known.add(key)
    return placeholderStart + (url === null ? '' : key)
  }

  return {
    hold,
    holdInCss: (css: string, base: string): string =>
      rewriteCss(css, (reference, isImport) =>
        /^\s*(#|$|data:)/i.test(reference)
          ? null
          : hold(reference, base, isImport ? 'stylesheet' : kindInCss(reference)),
      ),
    holdInSrcset: (srcset: string, base: string): string =>
      rewriteSrcset(srcset, (reference) =>
        isEmbedded(reference) ? reference : hold(reference, base, 'image'),
      ),
    /** Returns the assets found since the last call. */
    takeFound(): FoundAsset[] {
      const taken = found
      found = []
      return taken
    },
  }
}

/** Returns a text with other texts in the place of its placeholders; `replace` receives the key of the asset. */
export function replacePlaceholders(text: string, replace: (key: string) => string | undefined): string {
  if (!text.includes(placeholderStart)) return text
  return text.replaceAll(placeholder, (unchanged, key: string) => replace(key) ?? unchanged)
}

/** Whether a reference is a fragment of the same page or an image that it contains. */
export function isEmbedded(reference: unknown): boolean {
  return typeof reference === 'string' && /^\s*(#|$|data:image\/)/i.test(reference)
}

/** Returns the candidates of a `srcset` that can be loaded. */
export function loadableCandidates(srcset: string): string {
  return rewriteSrcset(srcset, (reference) => (reference.startsWith(placeholderStart) ? null : reference))
}

function kindInCss(reference: string): FoundAsset['kind'] {
  return /\.(woff2?|ttf|otf|eot)([?#]|$)/i.test(reference) ? 'font' : 'image'
}
