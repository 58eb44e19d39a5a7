/** Returns a page's text on one line, cut to `max`; null if it is empty or masked with asterisks by the recorder. */
export function readable(text: string, max: number): string | null {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line === '' || line.includes('**') || /^[\s*]+$/.test(line)) return null
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line
}

/** Shortens a text to fit into a sentence, keeping its quotation marks. */
export function shortened(text: string): string {
  if (text.startsWith('“')) return text.length > 62 ? `${text.slice(0, 60).trimEnd()}…”` : text
  return text.length > 160 ? `${text.slice(0, 159).trimEnd()}…` : text
}

/** Removes possibly personal parts from a message: URL queries, email addresses, long numbers. */
export function safeMessage(text: string): string | null {
  const safe = text
    .slice(0, 2000)
    .replaceAll(/(https?:\/\/[^\s?#"'()]+)[?#][^\s"'()]*/g, '$1')
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.]+/g, '…')
    .replaceAll(/\d[\d -]{7,}\d/g, '…')
  return readable(safe, 300)
}

/** Leading letters that identify a long typed text; a page may cut off the rest. */
const typedStart = 40

/**
 * Returns a function that removes typed texts from texts that may repeat them: headings, messages, URLs. Typed texts of
 * fewer than three letters reveal nothing and would match everywhere.
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
