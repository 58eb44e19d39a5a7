import type { HighlightPiece } from '../player/player-messages.ts'

/** Returns the position in a highlights after playing for some time (ms) from a position. Positions outside its pieces are skipped. */
export function afterInHighlights(pieces: readonly HighlightPiece[], at: number, passed: number): number {
  let [position, left] = [at, passed]
  for (const { from, to, speed } of pieces) {
    if (to <= position) continue
    position = Math.max(position, from)
    const needed = (to - position) / speed
    if (left < needed) return position + left * speed
    left -= needed
    position = to
  }
  return position
}
