/** The part of a text, before the caret, with which a member is being named: where its @ is, and what follows. */
export type MentionQuery = { at: number; text: string }

const queryLengthMax = 50

/** Returns what is being typed after an @ that begins a word; null if nothing is. */
export function mentionQueryAt(text: string, caret: number): MentionQuery | null {
  const before = text.slice(0, caret)
  const at = before.lastIndexOf('@')
  const query = before.slice(at + 1)
  if (at === -1 || /[\p{L}\p{N}]$/u.test(before.slice(0, at))) return null
  return query.length > queryLengthMax || /\n|^\s/.test(query) ? null : { at, text: query }
}

/** Returns the members whose name or address has the words that were typed, those whose name begins with them first. */
export function membersMatching<Member extends { name: string; email: string }>(
  members: readonly Member[],
  { text }: MentionQuery,
): Member[] {
  const wanted = text.trimEnd().toLowerCase()
  const begins = ({ name }: Member) => name.toLowerCase().startsWith(wanted)
  const found = members.filter((member) => `${member.name} ${member.email}`.toLowerCase().includes(wanted))
  return found.toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
}
