/** A run's error: what happened, what to do about it, and the original message of the engine or destination. */
export type ErrorInWords = { headline: string; advice: string; raw: string | null }

/** Splits a run's error, which the service writes as `What happened: what to do. (original message)`. */
export function errorInWords(error: string): ErrorInWords {
  const [, words = error, raw = null] = /^(.*?[.!?]) \((.+)\)$/s.exec(error.trim()) ?? []
  const [, happened = words, advice = ''] = /^(.+?):\s+(.+)$/s.exec(words.trim()) ?? []
  return {
    headline: /[.!?]$/.test(happened) ? happened : `${happened}.`,
    advice: advice.charAt(0).toUpperCase() + advice.slice(1),
    raw,
  }
}
