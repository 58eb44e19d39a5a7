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
  let recorded: readonly ScriptAnimation[] = []
  const shown = new Map<number, Animation>()
  let frame = 0

  const move = (replayer: Replayer) => {
    const now = replayer.getMetaData().startTime + replayer.getCurrentTime()
    for (const animation of recorded) {
      const element = replayer.getMirror().getNode(animation.node)
      const known = shown.get(animation.id)
      const replayed = isOn(known, element) ? known : start(animation, element)
      if (replayed) replayed.currentTime = timeWithin(animation, now)
      if (replayed && replayed !== known) shown.set(animation.id, replayed)
    }
    cancelAnimationFrame(frame)
    if (recorded.length > 0 && replayer.service.state.matches('playing'))
      frame = requestAnimationFrame(() => move(replayer))
  }
  const show = (animations: readonly ScriptAnimation[], replayer: Replayer) => {
    recorded = animations
    const ids = new Set(animations.map(({ id }) => id))
    for (const [id, animation] of shown) {
      if (ids.has(id)) continue
      animation.cancel()
      shown.delete(id)
    }
    move(replayer)
  }

  return {
    onEvent(event, replayer) {
      if (event.type === EventType.FullSnapshot) show([], replayer)
      if (stateTag(event) !== 'spool/animations') return
      // The reader has validated it.
      const { payload } = event.data as Extract<PageState, { tag: 'spool/animations' }>
      show(payload ? animationsAfter(recorded, payload, event.timestamp) : [], replayer)
    },
    onSeek: move,
  }
}

function isOn(animation: Animation | undefined, element: Node | null): boolean {
  return (animation?.effect as KeyframeEffect | undefined)?.target === element
}

/** Returns null if the element is missing, or the browser does not know a value. */
function start({ keyframes, timing }: ScriptAnimation, element: Node | null): Animation | null {
  if (!isElement(element)) return null
  try {
    const animation = element.animate(keyframes, timing)
    animation.pause()
    return animation
  } catch {
    // A recording can hold any values; the page is shown without this animation.
    return null
  }
}
