import type { Replayer } from '@rrweb/replay'
import { createReplayer } from './replayer.ts'
import type { Scene } from './scenes.ts'

/** Scenes whose documents are kept, so that going back and forth between windows builds nothing anew. */
const keptMax = 3

type Kept = { replayer: Replayer; snapshot: unknown; known: number; width: number; height: number }

/** Shows one scene at a time, as large as the window lets it be. */
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
    const entry: Kept = { replayer, snapshot: events[1], known: events.length, ...size }
    replayer.on('resize', (size) => {
      const { width, height } = size as { width: number; height: number }
      Object.assign(entry, { width, height })
      fit()
    })
    return entry
  }

  const entryFor = (scene: Scene, time: number): Kept => {
    const found = kept.find(({ snapshot }) => snapshot === scene.events[1])
    // What was read since is only needed once the playing gets there.
    if (found && (found.known === scene.events.length || time < knownUntil(scene, found.known))) return found
    const built = build(scene)
    if (found) remove(found)
    return built
  }

  return {
    /** Shows a scene as it was at a moment, in milliseconds since the epoch, and lets it go on from there. */
    show(scene: Scene, time: number, { isPlaying, speed }: { isPlaying: boolean; speed: number }) {
      const entry = entryFor(scene, time)
      kept = [entry, ...kept.filter((other) => other !== entry)]
      if (shown && shown !== entry) shown.replayer.pause()
      // rrweb shows what came before a moment; what happened at it belongs to the picture too.
      const offset = Math.max(0, time - scene.start) + 1
      entry.replayer.setConfig({ speed })
      if (isPlaying) entry.replayer.play(offset)
      else entry.replayer.pause(offset)
      shown = entry
      for (const other of kept) other.replayer.wrapper.hidden = other !== entry
      for (const other of kept.slice(keptMax)) remove(other)
      fit()
    },
    /** Whether the scene goes on further than what is shown of it knows. */
    hasMore: (scene: Scene, time: number) =>
      shown === null ||
      shown.snapshot !== scene.events[1] ||
      (shown.known < scene.events.length && time >= knownUntil(scene, shown.known)),
  }
}

function knownUntil(scene: Scene, known: number): number {
  return scene.events[known - 1]?.timestamp ?? 0
}
