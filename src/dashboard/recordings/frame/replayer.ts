import { Replayer, type playerConfig } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import type { ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import { createAnimationTimes } from './animation-times.ts'
import type { Assets } from './assets.ts'
import { createCanvasFrames } from './canvas-frames.ts'
import { createDisabledSheets } from './disabled-sheets.ts'
import { createFocusMarks, focusRing } from './focus-marks.ts'
import { createMediaNotes, mediaRules } from './media-notes.ts'
import { notLoaded } from '../reader/neutralize.ts'
import { placeholderStart } from '../reader/placeholders.ts'
import type { ReplayPart } from './replay-part.ts'

const hatching =
  'repeating-linear-gradient(135deg, rgb(128 128 128 / 0.16) 0 6px, rgb(128 128 128 / 0.06) 6px 12px)'

const missingImage = `img[src^="${placeholderStart}"]`

/** Creates a replayer whose document runs no scripts, fetches nothing, and can be neither clicked nor focused. */
export function createReplayer(root: HTMLElement, events: readonly ReplayEvent[], assets: Assets): Replayer {
  const parts = [
    createCanvasFrames(),
    createDisabledSheets(),
    createFocusMarks(),
    createMediaNotes(),
    createAnimationTimes(),
  ]
  // The events are not validated; rrweb skips most of those that it cannot apply.
  const replayer = new Replayer([...events] as unknown as eventWithTime[], {
    root,
    showWarning: false,
    triggerFocus: false,
    // Diffing a virtual DOM is slower than applying the changes between two full snapshots of posthog-js.
    useVirtualDom: false,
    UNSAFE_replayCanvas: false,
    mouseTail: { duration: 400, lineCap: 'round', lineWidth: 2, strokeStyle: 'rgb(73 80 246 / 0.5)' },
    insertStyleRules: [
      `[${notLoaded}], ${missingImage} { background: ${hatching} !important; }`,
      // Gives a missing image with an alternative text the size in its attributes.
      `:where(${missingImage}) { display: inline-block; }`,
      focusRing,
      ...mediaRules,
      // The replayed window never has the focus, so its selection would be grey.
      '::selection { background: Highlight; color: HighlightText }',
    ],
    plugins: parts.map(pluginOf),
  })
  replayer.on('start', () => {
    const { startTime } = replayer.getMetaData()
    for (const { onSeek } of parts) onSeek?.(replayer, startTime + replayer.getCurrentTime())
  })
  replayer.iframe.inert = true
  resolveAssets(replayer, assets)
  skipBrokenEvents(replayer)
  return replayer
}

/**
 * Seeks and pauses like `replayer.pause(offset)`, but marks the page as paused as soon as it exists, before anything reads a
 * style: to change the mark later would restyle the whole page. `offset` is in milliseconds since the first event.
 */
export function seekPaused(replayer: Replayer, offset: number): void {
  const { service, iframe } = replayer
  const { emitter } = replayer as unknown as { emitter: { emit: (event: string) => void } }
  const markPaused = () => iframe.contentDocument?.documentElement.classList.add('rrweb-paused')
  markPaused()
  replayer.on('fullsnapshot-rebuilded', markPaused)
  service.send({ type: 'PAUSE' })
  service.send({ type: 'PLAY', payload: { timeOffset: offset } })
  replayer.off('fullsnapshot-rebuilded', markPaused)
  emitter.emit('start')
  replayer.pause()
}

function pluginOf({ onBuild, onEvent }: ReplayPart): NonNullable<playerConfig['plugins']>[number] {
  return {
    onBuild: (node, { id, replayer }) => onBuild?.(node as Node, id, replayer),
    handler(event, _isSync, { replayer }) {
      try {
        onEvent?.(event as ReplayEvent, replayer)
      } catch (error) {
        reportError(error)
      }
    },
  }
}

/** Makes rrweb show stored assets, at paths that are valid when an event is rendered. */
function resolveAssets(replayer: Replayer, assets: Assets): void {
  const internals = replayer as unknown as Record<string, (event: unknown, isSync: unknown) => void>
  for (const method of ['applyIncremental', 'rebuildFullSnapshot']) {
    const render = internals[method]?.bind(replayer)
    internals[method] = (event, isSync) => render?.(assets.resolve(event), isSync)
  }
}

/** Makes rrweb continue after an event that fails. A seek applies all earlier events at once; one error would abort it. */
function skipBrokenEvents(replayer: Replayer): void {
  const internals = replayer as unknown as { applyIncremental: (...event: unknown[]) => void }
  const apply = internals.applyIncremental.bind(replayer)
  internals.applyIncremental = (...event) => {
    try {
      apply(...event)
    } catch (error) {
      reportError(error)
    }
  }
}
