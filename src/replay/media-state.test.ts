import { expect, test } from 'vitest'
import { EventType, IncrementalSource, MediaInteractions } from './recorded/rrweb.ts'
import { mediaAfter, mediaAt } from './media-state.ts'

const { Play, Pause, VolumeChange, RateChange } = MediaInteractions

function interaction(timestamp: number, data: Record<string, unknown>) {
  const source = IncrementalSource.MediaInteraction
  return { type: EventType.IncrementalSnapshot, timestamp, data: { source, id: 1, ...data } }
}

test('advances the position of a playing medium at its rate', () => {
  const played = mediaAfter(undefined, interaction(0, { type: Play, currentTime: 10 }))
  expect(mediaAt(played, 3000).data).toMatchObject({ currentTime: 13 })
  const faster = mediaAfter(played, interaction(2000, { type: RateChange, playbackRate: 2 }))
  expect(mediaAt(faster, 3000).data).toMatchObject({ type: Play, currentTime: 14 })
})

test('keeps the position of a paused medium', () => {
  const paused = mediaAfter(undefined, interaction(0, { type: Pause, currentTime: 10 }))
  const quieter = mediaAfter(paused, interaction(1000, { type: VolumeChange, volume: 0.5 }))
  expect(mediaAt(quieter, 9000).data).toMatchObject({ type: Pause, currentTime: 10, volume: 0.5 })
})
