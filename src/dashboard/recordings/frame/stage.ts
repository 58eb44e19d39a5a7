import type { Replayer } from '@rrweb/replay'
import { createReplayer } from './replayer.ts'
import type { Scene } from './scenes.ts'

/** Scenes whose documents are kept, so that switching between windows does not rebuild them. */
const keptScenesMax = 3

type Kept = {
  replayer: Replayer
  snapshot: unknown
  /** Number of the scene's events that the replayer has received. */
  eventCount: number
  width: number
  height: number
}

/** Creates a stage that shows one scene at a time, scaled to fit the window. */
export function createStage(root: HTMLElement) {
  let kept: Kept[] = []
  let shown: Kept | null = null

  const fit = () => {
    if (!shown) return
    const { replayer, width, height } = shown
    const scale = Math.min(innerWidth / width, innerHeight / height)
    const [left, top] = [(innerWidth - width * scale) / 2, (innerHeight - height * scale) / 2]
    replayer.wrapper.style.transform = `translate(${left}px, ${top}px) scale(${scale})`
  }
  addEventListener('resize', fit)

  const remove = (entry: Kept) => {
    kept = kept.filter((other) => other !== entry)
    entry.replayer.destroy()
  }

  const build = (scene: Scene): Kept => {
    const { events, size } = scene
    const replayer = createReplayer(root, events)
    const entry: Kept = { replayer, snapshot: events[1], eventCount: events.length, ...size }
    replayer.on('resize', (size) => {
      const { width, height } = size as { width: number; height: number }
      Object.assign(entry, { width, height })
      fit()
    })
    return entry
  }

  const entryFor = (scene: Scene, time: number): Kept => {
    const found = kept.find(({ snapshot }) => snapshot === scene.events[1])
    // Events read after the replayer was built are needed only once playback reaches them.
    if (found && (found.eventCount === scene.events.length || time < timeOfLast(scene, found.eventCount)))
      return found
    const built = build(scene)
    if (found) remove(found)
    return built
  }

  return {
    /** Shows a scene at a time (ms since the epoch), and plays it from there if `isPlaying`. */
    show(scene: Scene, time: number, { isPlaying, speed }: { isPlaying: boolean; speed: number }) {
      const entry = entryFor(scene, time)
      kept = [entry, ...kept.filter((other) => other !== entry)]
      if (shown && shown !== entry) shown.replayer.pause()
      // rrweb applies only events before the offset; add 1 to include those at this time.
      const offset = Math.max(0, time - scene.start) + 1
      entry.replayer.setConfig({ speed })
      if (isPlaying) entry.replayer.play(offset)
      else entry.replayer.pause(offset)
      shown = entry
      for (const other of kept) other.replayer.wrapper.hidden = other !== entry
      for (const other of kept.slice(keptScenesMax)) remove(other)
      fit()
    },
    /** Whether the replayer on stage lacks events of the scene that are due at this time. */
    hasMore: (scene: Scene, time: number) =>
      shown === null ||
      shown.snapshot !== scene.events[1] ||
      (shown.eventCount < scene.events.length && time >= timeOfLast(scene, shown.eventCount)),
  }
}

/** Returns the time of the last of a scene's first `count` events. */
function timeOfLast(scene: Scene, count: number): number {
  return scene.events[count - 1]?.timestamp ?? 0
}
