export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string }

/** What became of lines, in order: what both have, what is gone before what came. A comma at a line's end is no difference. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = commonLengths(before, after)
  const result: DiffLine[] = []
  let [old, now] = [0, 0]
  while (old < before.length || now < after.length) {
    const [gone, came] = [before[old], after[now]]
    if (gone !== undefined && came !== undefined && isSame(gone, came)) {
      result.push({ kind: 'same', text: came })
      old += 1
      now += 1
    } else if (gone !== undefined && (lengths[old + 1]?.[now] ?? 0) >= (lengths[old]?.[now + 1] ?? 0)) {
      result.push({ kind: 'removed', text: gone })
      old += 1
    } else {
      result.push({ kind: 'added', text: came ?? '' })
      now += 1
    }
  }
  return result
}

/** At [i][j]: how many lines the rests from i and from j have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => after.map(() => 0).concat(0))
  for (let old = before.length - 1; old >= 0; old -= 1)
    for (let now = after.length - 1; now >= 0; now -= 1) {
      const same = isSame(before[old] ?? '', after[now] ?? '')
      const row = lengths[old] ?? []
      const below = lengths[old + 1] ?? []
      row[now] = same ? (below[now + 1] ?? 0) + 1 : Math.max(below[now] ?? 0, row[now + 1] ?? 0)
    }
  return lengths
}

function isSame(one: string, other: string): boolean {
  return one.replace(/,$/, '') === other.replace(/,$/, '')
}
