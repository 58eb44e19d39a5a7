/**
 * A value as JSON text that every engine takes: characters that JSON can write and PostgreSQL cannot keep (NUL) or that no
 * encoding has (lone surrogates) become U+FFFD.
 */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes('\\u') ? text.replace(escapes, (_, backslash) => backslash ?? '\ufffd') : text
}

/** JSON.stringify writes surrogates in pairs as they are, so an escaped one is alone. A pair of backslashes is skipped. */
const escapes = /(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** A text of at most `limit` UTF-16 units that every engine takes, see `safeJson`. */
export function safeText(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '\ufffd') : cut).toWellFormed()
}
