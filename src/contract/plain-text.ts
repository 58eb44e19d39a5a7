import { z } from 'zod'

/** Control characters, line and paragraph separators, and marks that reorder the text after them. */
const control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const error = 'Control characters, such as line breaks and tabs, are not allowed.'

/** Text that logs, file names and headers can contain as it is. */
export const PlainText = z.string().refine(isPlain, { error })

/** The name of an object, without white space at its ends. */
export function plainName(lengthMax: number) {
  return z.string().trim().min(1).max(lengthMax).refine(isPlain, { error })
}

function isPlain(text: string): boolean {
  return !control.test(text)
}
