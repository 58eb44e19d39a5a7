import { isErrorMark, type Mark, type HighlightPiece, type TimeRange } from './player-messages.ts'

type MomentKind = 'error' | 'rage' | 'submit' | 'page'
/** A moment that highlights may show; `at` is in milliseconds since the start. */
export type HighlightMoment = { kind: MomentKind; at: number }

/** Which moments are chosen first. */
const kinds: readonly MomentKind[] = ['error', 'rage', 'submit', 'page']
/** Time (ms) that is played at normal speed before and after a moment. */
const around = { before: 1_500, after: 1_500 }
/** Share of highlights for their moments; the rest is for the time between them. */
const momentShare = 0.7
/** A faster picture cannot be followed. */
const speedMax = 16

type Played = {
  moments: readonly HighlightMoment[]
  /** Periods without activity, which highlights leave out. */
  idle: readonly TimeRange[]
  /** Length of the recording, in milliseconds. */
  end: number
}

/** Returns the moments among a recording's marks; `submits` are the times (ms since the start) when forms were submitted. */
export function highlightMoments(marks: readonly Mark[], submits: readonly number[]): HighlightMoment[] {
  const found = marks.flatMap((mark): HighlightMoment[] => {
    if (isErrorMark(mark)) return [{ kind: 'error', at: mark.at }]
    if (mark.kind === 'rage click') return [{ kind: 'rage', at: mark.at }]
    return mark.kind === 'page' ? [{ kind: 'page', at: mark.at }] : []
  })
  return [...found, ...submits.map((at) => ({ kind: 'submit' as const, at }))]
}

/**
 * Chooses the parts of a recording that fit into highlights of this length (ms), in order: moments and the end at normal speed, and the
 * time between them faster. The parts take exactly this time, or less if the recording itself is shorter.
 */
export function chooseHighlights({ moments, idle, end }: Played, lengthMs: number): HighlightPiece[] {
  const slow = slowParts(inTurns(moments), end, lengthMs * momentShare)
  const gaps = without({ from: 0, to: end }, slow).map((gap) => without(gap, idle))
  const way = sumOf(gaps.flat())
  const left = lengthMs - sumOf(slow)
  const speed = Math.min(Math.max(way / left, 1), speedMax)
  const kept = Math.min(1, (left * speed) / Math.max(way, 1))
  const fast = gaps.flatMap((parts) => lastPart(parts, sumOf(parts) * kept))
  return [
    ...slow.map((part) => ({ ...part, speed: 1 })),
    ...fast.map((part) => ({ ...part, speed })),
  ].toSorted((one, other) => one.from - other.from)
}

/** Orders the moments so that each kind gets its turn: the first error, rage click, submit and page, then the second ones. */
function inTurns(moments: readonly HighlightMoment[]): HighlightMoment[] {
  const turns = kinds.flatMap((kind, rank) =>
    moments
      .filter((moment) => moment.kind === kind)
      .toSorted((one, other) => one.at - other.at)
      .map((moment, turn) => ({ moment, turn, rank })),
  )
  return turns
    .toSorted((one, other) => one.turn - other.turn || one.rank - other.rank)
    .map(({ moment }) => moment)
}

/** Returns the parts around the end and around as many moments as fit into the time, in order and without overlaps. */
function slowParts(moments: readonly HighlightMoment[], end: number, ms: number): TimeRange[] {
  let parts: TimeRange[] = [{ from: Math.max(0, end - around.before - around.after), to: end }]
  for (const { at } of moments) {
    const part = { from: Math.max(0, at - around.before), to: Math.min(end, at + around.after) }
    const more = union([...parts, part])
    if (part.to > part.from && sumOf(more) <= ms) parts = more
  }
  return parts
}

function union(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = []
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last && from <= last.to) joined.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) })
    else joined.push({ from, to })
  }
  return joined
}

/** Returns the parts of a range that others, which are in order, do not cover. */
function without(range: TimeRange, others: readonly TimeRange[]): TimeRange[] {
  const left: TimeRange[] = []
  let { from } = range
  for (const other of others) {
    if (other.to <= from || other.from >= range.to) continue
    if (other.from > from) left.push({ from, to: other.from })
    from = other.to
  }
  return from < range.to ? [...left, { from, to: range.to }] : left
}

/** Returns the last part of this length (ms) of several ranges in order. */
function lastPart(ranges: readonly TimeRange[], ms: number): TimeRange[] {
  let left = ms
  return ranges
    .toReversed()
    .flatMap(({ from, to }) => {
      const taken = Math.min(left, to - from)
      left -= taken
      return taken > 0 ? [{ from: to - taken, to }] : []
    })
    .toReversed()
}

function sumOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0)
}
