import type { QueryPosition } from '../../../contract/problem.ts'

/** A range of a query, in UTF-16 units from its start. */
export type QueryRange = { start: number; end: number }

/**
 * Returns the range to mark for an error at a position: the word or character there, or the last word if the query ends
 * too early.
 */
export function rangeToMark(query: string, { offset }: QueryPosition): QueryRange {
  const inside = query.slice(offset).trim() !== ''
  if (!inside) {
    const whole = query.trimEnd()
    const [last = ''] = /[\w$]+$|\S$/.exec(whole) ?? []
    return { start: whole.length - last.length, end: whole.length }
  }
  const start = offset + (/^\s*/.exec(query.slice(offset))?.[0].length ?? 0)
  const [word = ''] = /^(?:[\w$.]+|[^])/u.exec(query.slice(start)) ?? []
  return { start, end: start + word.length }
}

/** Returns the lines of a query, each with its marked part. */
export function markedLines(query: string, range: QueryRange | null) {
  let offset = 0
  return query.split('\n').map((line) => {
    const from = range ? clamp(range.start - offset, line.length) : line.length
    const to = range ? clamp(range.end - offset, line.length) : line.length
    offset += line.length + 1
    return { before: line.slice(0, from), marked: line.slice(from, to), after: line.slice(to) }
  })
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length)
}

/** Describes a position and the text there: `Line 2, column 8, at "FORM"`. */
export function placeInWords(query: string, position: QueryPosition): string {
  const { start, end } = rangeToMark(query, position)
  const isAtEnd = query.slice(position.offset).trim() === ''
  const what = query.slice(start, end)
  const near = what === '' ? '' : isAtEnd ? `, after “${what}”` : `, at “${what}”`
  return `Line ${position.line}, column ${position.column}${near}`
}
