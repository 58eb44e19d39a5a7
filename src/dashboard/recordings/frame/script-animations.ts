import type { Replayer } from '@rrweb/replay'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { stateTag, type PageState } from '../../../replay/recorded/page-state.ts'
import {
  animationsAfter,
  timeWithin,
  type ScriptAnimation,
} from '../../../replay/recorded/script-animations.ts'
import { isElement, type ReplayPart } from './replay-part.ts'

/** Shows the animations that scripts started. They are paused, and moved to the time of the replay with each picture. */
export function createScriptAnimations(): ReplayPart {
  const shown = new Map<ScriptAnimation, Animation>()
  let frame = 0
  const move = (replayer: Replayer) => {
    const now = replayer.getMetaData().startTime + replayer.getCurrentTime()
    for (const [recorded, replayed] of shown) replayed.currentTime = timeWithin(recorded, now)
    cancelAnimationFrame(frame)
    if (shown.size > 0 && replayer.service.state.matches('playing'))
      frame = requestAnimationFrame(() => move(replayer))
  }
  return {
    onEvent(event, replayer) {
      const isReport = stateTag(event) === 'spool/animations'
      if (!isReport && event.type !== EventType.FullSnapshot) return
      // The reader has validated it.
      const { payload } = event.data as Extract<PageState, { tag: 'spool/animations' }>
      const next = isReport && payload ? animationsAfter([...shown.keys()], payload, event.timestamp) : []
      for (const replayed of shown.values()) replayed.cancel()
      shown.clear()
      for (const recorded of next) {
        const element = replayer.getMirror().getNode(recorded.node)
        if (!isElement(element)) continue
        try {
          const replayed = element.animate(recorded.keyframes, recorded.timing)
          replayed.pause()
          shown.set(recorded, replayed)
        } catch (error) {
          reportError(error)
        }
      }
      move(replayer)
    },
    onSeek: move,
  }
}
