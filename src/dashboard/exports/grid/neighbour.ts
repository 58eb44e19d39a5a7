import type { Arrangement, Place } from './arrangement.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Returns the index of the next window in a direction, past empty places; the same index at the edge. */
export function neighbour(arrangement: Arrangement, index: number, direction: Direction): number {
  const { places, indexAt, blocks, lines } = arrangement
  const stepsMax = blocks.length * lines.length
  let place = places[index]
  for (let steps = 0; place && steps < stepsMax; steps += 1) {
    place = step(arrangement, place, direction)
    const found = place && indexAt(place)
    if (found !== undefined) return found
  }
  return index
}

/** Returns the next place; undefined past the first or last block. Past the last line, the next block follows. */
function step(arrangement: Arrangement, place: Place, direction: Direction): Place | undefined {
  const forward = direction === 'right' || direction === 'down' ? 1 : -1
  const sideways = direction === 'left' || direction === 'right'
  const { flow, slots, lines, blocks } = arrangement
  const next = { ...place }
  if (flow === 'rows') {
    if (sideways) next.line += forward
    else next.block += forward
  } else if (sideways) {
    const slot = next.block * slots + next.slot + forward
    next.block = Math.floor(slot / slots)
    next.slot = slot - next.block * slots
  } else next.line += forward
  if (next.line < 0) Object.assign(next, { block: next.block - 1, line: lines.length - 1 })
  if (next.line >= lines.length) Object.assign(next, { block: next.block + 1, line: 0 })
  return next.block >= 0 && next.block < blocks.length ? next : undefined
}
