/**
 * Serialises a value as JSON that every engine accepts: NUL, which PostgreSQL cannot store, and lone surrogates, which
 * no encoding can represent, become U+FFFD.
 */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes('\\u') ? text.replace(escapes, (_, backslash) => backslash ?? '\ufffd') : text
}

/** JSON.stringify escapes only lone surrogates, never pairs. An escaped backslash is skipped. */
const escapes = /(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** Cuts a text to `limit` UTF-16 units and replaces the characters that engines reject, see `safeJson`. */
export function safeText(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '\ufffd') : cut).toWellFormed()
}
