import { diffArrays } from 'diff'

export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string }

/** Returns the lines of both texts in order, removed lines before added ones. Ignores commas at the ends of lines. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const changes = diffArrays([...before], [...after], { comparator: isSame })
  return changes.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value.map((text) => ({ kind, text }) as const)
  })
}

function isSame(one: string, other: string): boolean {
  return one.replace(/,$/, '') === other.replace(/,$/, '')
}
