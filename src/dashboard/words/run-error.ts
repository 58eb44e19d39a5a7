/** An error for people: what happened, what to do about it, and what the engine or the store said itself. */
export type ErrorInWords = { headline: string; advice: string; raw: string | null }

/** Takes a run's error apart; the service writes `What happened: what to do. (what the engine said)`. */
export function errorInWords(error: string): ErrorInWords {
  const [, words = error, raw = null] = /^(.*?[.!?]) \((.+)\)$/s.exec(error.trim()) ?? []
  const [, happened = words, advice = ''] = /^(.+?):\s+(.+)$/s.exec(words.trim()) ?? []
  return {
    headline: /[.!?]$/.test(happened) ? happened : `${happened}.`,
    advice: advice.charAt(0).toUpperCase() + advice.slice(1),
    raw,
  }
}
