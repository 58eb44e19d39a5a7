import {
  incremental,
  IncrementalSource,
  MediaInteractions,
  sourceOf,
  type ReplayEvent,
} from './recorded/rrweb.ts'

const { Play, Pause } = MediaInteractions

/** Returns an event with the state of a medium after `before` and `event`; its type is play or pause. */
export function mediaAfter(before: ReplayEvent | undefined, event: ReplayEvent): ReplayEvent {
  const known = before && mediaAt(before, event.timestamp).data
  const { type } = event.data
  const state = type === Play || type === Pause ? type : (known?.['type'] ?? Pause)
  return { ...event, data: { ...known, ...event.data, type: state } }
}

/** Returns an event with the position of a medium at a later time; returns other events unchanged. */
export function mediaAt(event: ReplayEvent, timestamp: number): ReplayEvent {
  const { type, currentTime, playbackRate = 1 } = event.data
  const isPlaying = sourceOf(event) === IncrementalSource.MediaInteraction && type === Play
  if (!isPlaying || typeof currentTime !== 'number' || typeof playbackRate !== 'number') return event
  const passed = ((timestamp - event.timestamp) / 1000) * playbackRate
  return { ...event, data: { ...event.data, currentTime: currentTime + passed } }
}

/** Returns the state of a medium that the recorder serialised with its element; null for other elements. */
export function recordedMedia(
  id: number,
  attributes: Readonly<Record<string, unknown>>,
  timestamp: number,
): ReplayEvent | null {
  const {
    rr_mediaState: state,
    rr_mediaCurrentTime: currentTime,
    rr_mediaPlaybackRate: playbackRate,
  } = attributes
  if (state !== 'played' && state !== 'paused') return null
  const source = IncrementalSource.MediaInteraction
  const data = { source, id, type: state === 'played' ? Play : Pause, currentTime, playbackRate }
  return incremental(timestamp, data)
}
