import type { ReelPiece } from '../player/player-messages.ts'

/** Returns the position in a reel after playing for some time (ms) from a position. Positions outside its pieces are skipped. */
export function afterInReel(pieces: readonly ReelPiece[], at: number, passed: number): number {
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
