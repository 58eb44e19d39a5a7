import type { Replayer } from '@rrweb/replay'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { stateTag } from '../../../replay/recorded/page-state.ts'
import type { ScriptAnimation } from '../../../replay/recorded/script-animations.ts'
import { isElement, orReport, type ReplayPart } from './replay-part.ts'

/** Shows the animations that scripts started. They are paused, and moved to the time of the replay with each picture. */
export function createScriptAnimations(): ReplayPart {
  const shown = new Map<Animation, ScriptAnimation>()
  /** The latest report, until the end of the task; a seek can apply many. */
  let reported: ScriptAnimation[] = []
  let frame = 0
  const move = (replayer: Replayer) => {
    const now = replayer.getMetaData().startTime + replayer.getCurrentTime()
    for (const [animation, { time, rate, at }] of shown)
      orReport(() => (animation.currentTime = time + (now - at) * rate))
    cancelAnimationFrame(frame)
    if (shown.size > 0 && replayer.service.state.matches('playing'))
      frame = requestAnimationFrame(() => move(replayer))
  }
  const show = (replayer: Replayer) => {
    for (const recorded of reported) {
      const element = replayer.getMirror().getNode(recorded.node)
      if (!isElement(element)) continue
      orReport(() => {
        const animation = element.animate(recorded.keyframes, recorded.timing)
        animation.pause()
        shown.set(animation, recorded)
      })
    }
    reported = []
    move(replayer)
  }
  return {
    onEvent(event, replayer) {
      const tag = stateTag(event)
      if (tag !== 'spool/animations' && event.type !== EventType.FullSnapshot) return
      for (const animation of shown.keys()) animation.cancel()
      shown.clear()
      // The reader has validated it.
      const payload = tag && (event.data['payload'] as { list: ScriptAnimation[] } | null)
      reported = payload?.list ?? []
      queueMicrotask(() => reported.length > 0 && show(replayer))
    },
    onSeek: show,
  }
}
