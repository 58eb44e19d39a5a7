/** A position in the query: line and column from 1, offset from 0 in UTF-16 units. */
export type Position = { line: number; column: number; offset: number }

/** Thrown for a query that is rejected; the message becomes the `detail` of the response. */
export class HogqlError extends Error {
  /** Position of the error, in characters (code points) from the start. */
  readonly characters: number | undefined

  constructor(detail: string, characters?: number) {
    super(detail)
    this.name = 'HogqlError'
    this.characters = characters
  }
}

/** Returns the error for a query that parses but cannot be exported; PostHog's clients look for its prefix. */
export function invalid(reason: string, characters?: number): HogqlError {
  return new HogqlError(`Invalid HogQL query: ${reason}`, characters)
}

/** Returns the position of the character with this index. */
export function positionOf(query: string, characters: number): Position {
  const before = [...query].slice(0, characters).join('')
  const lines = before.split('\n')
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1, offset: before.length }
}
