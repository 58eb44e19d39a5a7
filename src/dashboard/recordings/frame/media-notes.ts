import type { Replayer } from '@rrweb/replay'
import {
  IncrementalSource,
  MediaInteractions,
  sourceOf,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { clockTime } from '../../format/clock.ts'
import { mediaAfter, mediaAt, recordedMedia } from '../../../replay/media-state.ts'
import { attributesOf, type ReplayPart } from './replay-part.ts'

/** A video or audio player; `state` is null until a state is recorded. */
type Medium = { element: HTMLMediaElement; note: HTMLElement; state: ReplayEvent | null }

/** Shows over each video and audio player that was started whether it played, and its position; the media are not recorded. */
export function createMediaNotes(): ReplayPart {
  const media = new Map<unknown, Medium>()

  const draw = (replayer: Replayer) => {
    if (media.size === 0 || !replayer.wrapper.isConnected) return
    const now = replayer.getMetaData().startTime + replayer.getCurrentTime()
    for (const [id, medium] of media)
      if (medium.element.isConnected) drawNote(medium, now)
      else {
        medium.note.remove()
        media.delete(id)
      }
    requestAnimationFrame(() => draw(replayer))
  }

  return {
    onBuild(node, id, replayer) {
      if (!isMedia(node)) return
      // The media cannot be played, and rrweb does not handle the rejected promise.
      node.play = () => Promise.resolve()
      media.get(id)?.note.remove()
      if (media.size === 0) requestAnimationFrame(() => draw(replayer))
      const note = document.createElement('span')
      note.className = 'media-note'
      replayer.wrapper.append(note)
      const { startTime } = replayer.getMetaData()
      const state = recordedMedia(id, attributesOf(node, replayer), startTime + replayer.getCurrentTime())
      media.set(id, { element: node, note, state })
    },
    onEvent(event) {
      const medium = media.get(event.data['id'])
      if (sourceOf(event) === IncrementalSource.MediaInteraction && medium)
        medium.state = mediaAfter(medium.state ?? undefined, event)
    },
  }
}

function drawNote({ element, note, state }: Medium, now: number): void {
  const { left, bottom, width } = placeOf(element)
  const { type, currentTime } = state ? mediaAt(state, now).data : {}
  // A medium that has not started looks as it did to the visitor.
  note.hidden = width === 0 || (type !== MediaInteractions.Play && !currentTime)
  note.style.transform = `translate(${left}px, ${bottom}px) translateY(-100%)`
  const position = typeof currentTime === 'number' ? clockTime(currentTime * 1000) : ''
  note.textContent = `${type === MediaInteractions.Play ? 'Playing' : 'Paused'} ${position}`
}

/** Returns the place of an element in the replayed window, through the frames that contain it. */
function placeOf(element: Element): { left: number; bottom: number; width: number } {
  let { left, bottom, width } = element.getBoundingClientRect()
  let frame = element.ownerDocument.defaultView?.frameElement
  // The outermost frame is the replayed window itself.
  while (frame && frame.ownerDocument !== document) {
    const { x, y } = frame.getBoundingClientRect()
    left += x + frame.clientLeft
    bottom += y + frame.clientTop
    frame = frame.ownerDocument.defaultView?.frameElement
  }
  return { left, bottom, width }
}

function isMedia(node: Node): node is HTMLMediaElement {
  return node.nodeName === 'VIDEO' || node.nodeName === 'AUDIO'
}
