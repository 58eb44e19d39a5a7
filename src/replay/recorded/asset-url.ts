/*
 * How a recording names the files that it shows but does not hold. The vault fetches these files and the player shows
 * them, so both must find the same references and resolve them to the same URLs.
 */

/** Longest URL (characters) of an asset. */
export const assetUrlLengthMax = 2048

/**
 * Resolves a reference to the URL under which its asset is listed: absolute and without a fragment. Returns null if the
 * reference names no asset: a part of the page, a scheme other than HTTP, or a URL that has a password or is too long.
 * @param base URL of the page (`<base href>` applies) or of the style sheet that contains the reference.
 */
export function assetUrl(reference: string, base: string): string | null {
  const text = reference.trim()
  if (text === '' || text.startsWith('#')) return null
  const url = URL.canParse(text, base) ? new URL(text, base) : URL.canParse(text) ? new URL(text) : null
  if (!url) return null
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href.length > assetUrlLengthMax ? null : url.href
}

/** Returns a reference's fragment with its `#`, or "". */
export function fragmentOf(reference: string): string {
  const start = reference.indexOf('#')
  return start < 0 ? '' : reference.slice(start).trim()
}

/** How an attribute names assets. A `stylesheet` counts only with `rel="stylesheet"` and without recorded CSS. */
export type AssetAttribute = 'image' | 'srcset' | 'stylesheet' | 'css'

const imageAttributes: Record<string, readonly string[]> = {
  img: ['src'],
  input: ['src'],
  video: ['poster'],
  image: ['href', 'xlink:href'],
  feimage: ['href', 'xlink:href'],
  use: ['href', 'xlink:href'],
}

/** Returns how an attribute of an element names assets; null if it names none. */
export function assetAttribute(tagName: string, attribute: string): AssetAttribute | null {
  const [tag, name] = [tagName.toLowerCase(), attribute.toLowerCase()]
  if (name === 'style') return 'css'
  if (name === 'srcset') return 'srcset'
  if (tag === 'link') return name === 'href' ? 'stylesheet' : null
  return name === 'background' || imageAttributes[tag]?.includes(name) ? 'image' : null
}

/** One choice of a `srcset`: a reference, and a width such as `640w` or a density such as `2x`. */
export type Candidate = { reference: string; descriptor: string }

/** Lists the candidates of a `srcset`, as browsers read it: a reference can contain commas. */
export function srcsetCandidates(srcset: string): Candidate[] {
  const candidates: Candidate[] = []
  const [word, descriptor] = [/[\s,]*(\S+)/y, /[^,]*/y]
  for (let match = word.exec(srcset); match; match = word.exec(srcset)) {
    const [, reference = ''] = match
    let length = reference.length
    while (reference[length - 1] === ',') length -= 1
    descriptor.lastIndex = word.lastIndex
    const described = length === reference.length ? (descriptor.exec(srcset)?.[0] ?? '') : ''
    word.lastIndex += described.length
    if (length > 0) candidates.push({ reference: reference.slice(0, length), descriptor: described.trim() })
  }
  return candidates
}

/** Replaces the references in a `srcset`; candidates for which `replace` returns null are left out. */
export function rewriteSrcset(srcset: string, replace: (reference: string) => string | null): string {
  return srcsetCandidates(srcset)
    .flatMap(({ reference, descriptor }) => {
      const other = replace(reference)
      return other === null ? [] : [`${other} ${descriptor}`.trim()]
    })
    .join(', ')
}
