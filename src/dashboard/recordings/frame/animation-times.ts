import type { Replayer } from '@rrweb/replay'
import type { ReplayPart } from './replay-part.ts'

/** Moves CSS animations to their positions after a seek, which would otherwise restart them. */
export function createAnimationTimes(): ReplayPart {
  const starts = new WeakMap<Animation, number>()
  let frame = 0
  const move = (replayer: Replayer, time: number) => {
    const { startTime } = replayer.getMetaData()
    for (const page of documentsIn(replayer.iframe.contentDocument))
      for (const animation of page.getAnimations()) {
        // Transitions and scroll-driven animations keep their positions.
        if (!('animationName' in animation) || animation.timeline !== page.timeline) continue
        const position = Number(animation.currentTime ?? 0)
        // The start of an animation is not recorded. Most are short, so one that the seek started has probably ended.
        const start = starts.get(animation) ?? (position > 0 ? time - position : startTime)
        starts.set(animation, start)
        animation.currentTime = time - start
      }
  }
  return {
    onSeek(replayer, time) {
      // Listing the animations styles the whole page. The browser does that before it paints, in another task than the seek.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => move(replayer, time))
    },
  }
}

/** Returns a document and the documents of its frames. */
function documentsIn(page: Document | null): Document[] {
  if (!page) return []
  const frames = [...page.querySelectorAll('iframe')]
  return [page, ...frames.flatMap(({ contentDocument }) => documentsIn(contentDocument))]
}
