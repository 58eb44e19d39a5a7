/**
 * Quotes a text as one word of a shell. Control characters are escaped: a terminal could act on them when pasting. So are
 * quotes then: shells that do not know $'…' would end the word at one.
 */
export function shellQuoted(text: string): string {
  const isPlain = !/[\p{Cc}\p{Cf}]/u.test(text)
  if (isPlain) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(
      /['\p{Cc}\p{Cf}]/gu,
      (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
    )
  return `$'${escaped}'`
}
