/** An error for people: the first sentence, what to do about it, and the whole text where there is more. */
export type ErrorInWords = { headline: string; advice: string; raw: string | null }

/** Splits a run's error: the service writes one line in words, engines and stores may add lines of their own. */
export function errorInWords(error: string): ErrorInWords {
  const [firstLine = '', ...rest] = error.trim().split('\n')
  const end = /[.!?](?=\s+[A-Z“'"])/.exec(firstLine)
  const headline = end ? firstLine.slice(0, end.index + 1) : firstLine
  const advice = firstLine.slice(headline.length).trim()
  const tooLong = headline.length > 160
  return {
    headline: tooLong ? `${headline.slice(0, 159)}…` : headline,
    advice,
    raw: rest.length > 0 || tooLong ? error.trim() : null,
  }
}
