/** Text of a page on one line, at most so long; null when there is none, or when the recorder masked it with asterisks. */
export function readable(text: string, max: number): string | null {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line === '' || line.includes('**') || /^[\s*]+$/.test(line)) return null
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line
}

/** As much of a text as a sentence has room for; what it quotes stays quoted. */
export function shortened(text: string): string {
  if (text.startsWith('“')) return text.length > 62 ? `${text.slice(0, 60).trimEnd()}…”` : text
  return text.length > 160 ? `${text.slice(0, 159).trimEnd()}…` : text
}

/** A message of a page or a script without what may be personal: queries of URLs, addresses, long numbers. */
export function safeMessage(text: string): string | null {
  const safe = text
    .slice(0, 2000)
    .replaceAll(/(https?:\/\/[^\s?#"'()]+)[?#][^\s"'()]*/g, '$1')
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.]+/g, '…')
    .replaceAll(/\d[\d -]{7,}\d/g, '…')
  return readable(safe, 300)
}

/** Letters of a typed text that give it away: what follows them is taken for the rest of it, as a page may cut it off. */
const typedStart = 40

/**
 * Replaces whatever the person typed, where a page shows it again: in a heading, a message, an address. Typed texts of
 * fewer than three letters say nothing, and would be found everywhere.
 */
export function withoutTyped(typed: Iterable<string>): (text: string) => string {
  const values = [...new Set([...typed].map((value) => value.replaceAll(/\s+/g, ' ').trim()))]
    .filter((value) => value.length >= 3)
    .sort((a, b) => b.length - a.length)
  if (values.length === 0) return (text) => text
  const patterns = values.map((value) => {
    const isLong = value.length > typedStart
    return RegExp.escape(value.slice(0, typedStart)) + (isLong ? '[^”]*' : String.raw`(?![\p{L}\p{N}])`)
  })
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})`, 'giu')
  return (text) => text.replaceAll(found, '…')
}
