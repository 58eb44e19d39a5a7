/**
 * Scores how well a text matches what was typed: higher is better, null is no match. Every typed word must be found; the start
 * of a word counts more than its middle, and that more than scattered letters in order ("ohl" finds "Orders, hourly").
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

function wordScore(word: string, text: string): number | null {
  const at = text.indexOf(word)
  if (at === 0) return 4
  if (at > 0) return startsWord(text, word) ? 3 : 2
  return hasLettersInOrder(word, text) ? 1 : null
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  return false
}

function hasLettersInOrder(word: string, text: string): boolean {
  let at = -1
  for (const letter of word) {
    at = text.indexOf(letter, at + 1)
    if (at === -1) return false
  }
  return true
}
