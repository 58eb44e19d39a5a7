/**
 * Scores how well a text matches what was typed: higher is better, null is no match. Every typed word must be found; the start
 * of a word counts more than its middle, and that more than an abbreviation of adjacent words ("ohl" finds "Orders, hourly").
 */
export function matchScore(typed: string, text: string): number | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const lower = text.toLowerCase()
  let sum = 0
  for (const word of words) {
    const score = wordScore(word, lower)
    if (score === null) return null
    sum += score
  }
  // Of two equal matches, the shorter text ranks higher.
  return sum - lower.length / 1_000
}

/** Returns the items that have a score, the highest first. */
export function ranked<Item>(items: readonly Item[], scoreOf: (item: Item) => number | null): Item[] {
  return items
    .flatMap((item) => {
      const score = scoreOf(item)
      return score === null ? [] : [{ item, score }]
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

/** Returns the items whose texts match what was typed, best first; all if nothing was typed. */
export function bestMatches<Item>(
  items: readonly Item[],
  typed: string,
  textOf: (item: Item) => string,
): readonly Item[] {
  return typed.trim() === '' ? items : ranked(items, (item) => matchScore(typed, textOf(item)))
}

function wordScore(word: string, text: string): number | null {
  const at = text.indexOf(word)
  if (at === 0) return 4
  if (at > 0) return startsWord(text, word) ? 3 : 2
  return abbreviates(word, text) ? 1 : null
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  return false
}

/**
 * Whether the letters are those of one or more adjacent words in order, each word from its start. Letters scattered over other
 * words would find nearly every long text.
 */
function abbreviates(typed: string, text: string): boolean {
  const letters = [...typed]
  /** Numbers of typed letters that may have been found at the end of the word before. */
  let before = new Set<number>()
  for (const word of text.split(/[^\p{L}\p{N}]+/u)) {
    const found = new Set<number>()
    for (const from of [0, ...before]) {
      let amount = from
      for (const [place, letter] of [...word].entries()) {
        if (letter === letters[amount]) found.add(++amount)
        else if (place === 0) break
      }
    }
    if (found.has(letters.length)) return true
    before = found
  }
  return false
}
