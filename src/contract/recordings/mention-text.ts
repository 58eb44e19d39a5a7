/** A member who is mentioned, with their current name. */
type Named = { id: string; name: string }

/** Where the text of a note mentions a member: `@[id]`. */
const pattern = /@\[([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\]/g

/** Returns the ids of the members whom a text mentions, each once. */
export function mentionedIds(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, id = '']) => id))]
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

/** Returns a typed text with the ids of members in place of their names after an @. Of members with a name, the first counts. */
export function withIds(text: string, members: readonly Named[]): string {
  const longestFirst = members.toSorted((one, other) => other.name.length - one.name.length)
  let stored = ''
  let from = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', from)) {
    const rest = text.slice(at + 1)
    const named = longestFirst.find(({ name }) => rest.startsWith(name) && isWhole(rest, name))
    stored += text.slice(from, at) + (named ? `@[${named.id}]` : '@')
    from = at + 1 + (named?.name.length ?? 0)
  }
  return stored + text.slice(from)
}

/** Whether a name at the start of a text is not the beginning of a longer word. */
function isWhole(text: string, name: string): boolean {
  return !/^[\p{L}\p{N}]/u.test(text.slice(name.length))
}
