/** Where in the query something is: line and column count from 1, the offset from 0 in UTF-16 units. */
export type Position = { line: number; column: number; offset: number }

/** A query that is refused; the message is the `detail` of the answer. */
export class HogqlError extends Error {
  /** Where the parser saw it, in characters (code points) from the start. */
  readonly characters: number | undefined

  constructor(detail: string, characters?: number) {
    super(detail)
    this.name = 'HogqlError'
    this.characters = characters
  }
}

/** A query that parses and yet cannot be an export; the reason follows the words that PostHog's clients look for. */
export function invalid(reason: string, characters?: number): HogqlError {
  return new HogqlError(`Invalid HogQL query: ${reason}`, characters)
}

/** The position of the nth character. */
export function positionOf(query: string, characters: number): Position {
  const before = [...query].slice(0, characters).join('')
  const lines = before.split('\n')
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1, offset: before.length }
}
