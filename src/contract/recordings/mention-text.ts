/** A member who is mentioned, with their current name. */
type Named = { id: string; name: string }

/** Where the text of a note mentions a member: `@[id]`. */
const pattern = /@\[([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\]/g

/** Returns the ids of the members whom a text mentions, each once. */
export function mentionedIds(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, id = '']) => id))]
}

export function mentionOf(id: string): string {
  return `@[${id}]`
}

/** A part of a note's text: plain text or the name of a mentioned member. */
export type NotePart = { text: string; isMention: boolean }

/** Splits the text of a note at its mentions, which become names with an @. */
export function partsOfNote(text: string, mentions: readonly Named[]): NotePart[] {
  const names = new Map(mentions.map(({ id, name }) => [id, name]))
  return text
    .split(pattern)
    .map((part, index) =>
      index % 2 === 0
        ? { text: part, isMention: false }
        : { text: `@${names.get(part) ?? 'someone'}`, isMention: true },
    )
    .filter((part) => part.text !== '')
}

/** Returns the text of a note with names instead of ids. */
export function namedText(text: string, mentions: readonly Named[]): string {
  return partsOfNote(text, mentions)
    .map((part) => part.text)
    .join('')
}
