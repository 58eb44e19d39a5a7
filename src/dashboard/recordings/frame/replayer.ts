import { Replayer, type playerConfig } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import {
  type ReplayEvent,
  isObject,
  objectsIn,
  IncrementalSource,
  MouseInteractions,
  sourceOf,
} from '../../../replay/recorded/rrweb.ts'
import type { Assets } from './assets.ts'
import { createCanvasFrames } from './canvas-frames.ts'
import { createMediaNotes } from './media-notes.ts'
import { createPageState } from './page-state.ts'
import { createShadowStyles, playerStyles } from './player-styles.ts'
import { createScriptAnimations } from './script-animations.ts'
import { type ReplayPart, isElement, isStyle, orReport } from './replay-part.ts'
import { focusAttributes } from '../../../replay/recorded/adapted-css.ts'

/**
 * Creates a replayer whose document runs no scripts, fetches nothing, and can be neither clicked nor focused. `onContrast` is called
 * when the visitor's contrast differs from that with which the page is shown.
 */
export function createReplayer(
  root: HTMLElement,
  events: readonly ReplayEvent[],
  assets: Assets,
  onContrast: () => void,
): Replayer {
  const parts = [
    createCanvasFrames(),
    createShadowStyles(),
    createDisabledSheets(),
    createFocusMarks(),
    createUnfocusedDialogs(),
    createMediaNotes(),
    createAnimationTimes(),
    createPageState(assets.visitor, onContrast),
    createScriptAnimations(),
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
    insertStyleRules: playerStyles,
    plugins: parts.map(pluginOf),
  })
  replayer.on('start', () => {
    const time = replayer.getMetaData().startTime + replayer.getCurrentTime()
    for (const { onSeek } of parts) orReport(() => onSeek?.(replayer, time))
  })
  replayer.iframe.inert = true
  Object.assign(replayer, { cache: { stylesWithHoverClass: cacheOfAdaptedCss } })
  patchRendering(replayer, assets)
  return replayer
}

/** Takes the place of rrweb's cache of adapted CSS, so that rrweb parses and adapts none: `adaptCss` has done so in the reader. */
const cacheOfAdaptedCss = Object.assign(new Map<string, string>(), { get: (css: string) => css })

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
    handler: (event, _isSync, { replayer }) => orReport(() => onEvent?.(event as ReplayEvent, replayer)),
  }
}

/** Largest number of fonts that scripts add to a page. */
const fontsMax = 200

/**
 * Makes rrweb show stored assets, at paths that are valid when an event is rendered, and continue after an event that fails:
 * a seek applies all earlier events at once, so that one error would abort it.
 */
function patchRendering(replayer: Replayer, assets: Assets): void {
  const internals = replayer as unknown as Record<string, (event: unknown, isSync: unknown) => void>
  const patch = (method: string, change: (render: () => void, event: ReplayEvent) => void) => {
    const render = internals[method]?.bind(replayer)
    internals[method] = (event, isSync) =>
      change(() => render?.(assets.resolve(event), isSync), event as ReplayEvent)
  }
  /** The fonts that scripts added, as JSON; each seek brings them again. */
  const fonts = new Set<string>()
  patch('rebuildFullSnapshot', (render) => {
    fonts.clear()
    replayer.iframe.contentDocument?.fonts.clear()
    render()
  })
  const isNewFont = ({ data }: ReplayEvent) => {
    const font = JSON.stringify(assets.resolve(data))
    if (fonts.has(font) || fonts.size >= fontsMax) return false
    fonts.add(font)
    // rrweb creates fonts of this window, which the window of the page never shows.
    Object.assign(window, { FontFace: (replayer.iframe.contentWindow as typeof window | null)?.FontFace })
    return true
  }
  patch('applyIncremental', (render, event) =>
    orReport(() => {
      if (sourceOf(event) !== IncrementalSource.Font || isNewFont(event)) render()
    }),
  )
}

/** Moves CSS animations to their positions after a seek, which would otherwise restart them. */
function createAnimationTimes(): ReplayPart {
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

/** Disables style sheets whose link the page disabled: rrweb rebuilds such a link as a `style`, which ignores the attribute. */
function createDisabledSheets(): ReplayPart {
  const built = new Set<HTMLStyleElement>()
  return {
    onBuild(node) {
      if (isStyle(node) && node.hasAttribute('disabled')) built.add(node)
    },
    onEvent({ data }, replayer) {
      // An element has a sheet only while it is in a document.
      for (const style of built) style.disabled = true
      built.clear()
      for (const { id, attributes } of objectsIn(data['attributes'])) {
        const style = replayer.getMirror().getNode(Number(id))
        if (isStyle(style) && isObject(attributes) && 'disabled' in attributes)
          style.disabled = attributes['disabled'] !== null
      }
    },
  }
}

const marks = Object.values(focusAttributes)
const inputsWithoutText = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/i

/** Sets attributes on the focused element and its ancestors, which `adaptCss` makes the style sheets match. */
function createFocusMarks(): ReplayPart {
  let marked: Element[] = []

  const clear = () => {
    for (const element of marked) for (const name of marks) element.removeAttribute(name)
    marked = []
  }
  const focus = (target: Element, isVisible: boolean) => {
    clear()
    marked = [...ancestorsOf(target)]
    target.setAttribute(focusAttributes.focus, '')
    if (isVisible) target.setAttribute(focusAttributes['focus-visible'], '')
    for (const element of marked) element.setAttribute(focusAttributes['focus-within'], '')
  }

  return {
    onEvent(event, replayer) {
      const { type, id, isByPointer } = event.data
      const source = sourceOf(event)
      if (source === IncrementalSource.Mutation && marked[0]?.isConnected === false) clear()
      if (source !== IncrementalSource.MouseInteraction) return
      const target = replayer.getMirror().getNode(Number(id))
      if (type === MouseInteractions.Blur) clear()
      if (type === MouseInteractions.Focus && isElement(target))
        focus(target, isByPointer !== true || isTextField(target))
    },
  }
}

/** Opens dialogs without moving the focus into them: the recorded focus is shown, and the viewer keeps theirs. */
function createUnfocusedDialogs(): ReplayPart {
  const changed = new WeakSet<object>()
  return {
    onBuild(node) {
      const prototype = (node as Document).defaultView?.HTMLDialogElement.prototype
      if (!prototype || changed.has(prototype)) return
      changed.add(prototype)
      for (const method of ['show', 'showModal'] as const) {
        const open = prototype[method]
        prototype[method] = function (this: HTMLDialogElement) {
          const { inert } = this
          this.inert = true
          try {
            open.call(this)
          } finally {
            this.inert = inert
          }
        }
      }
    },
  }
}

/** Returns an element and the elements that contain it, through shadow roots. */
function* ancestorsOf(target: Element): Generator<Element> {
  for (let node: Node | null | undefined = target; node; node = node.parentNode ?? (node as ShadowRoot).host)
    if (isElement(node)) yield node
}

function isTextField(element: Element): boolean {
  if (element.nodeName === 'INPUT') return !inputsWithoutText.test(element.getAttribute('type') ?? 'text')
  return (
    element.nodeName === 'TEXTAREA' ||
    element.closest('[contenteditable]:not([contenteditable=false])') !== null
  )
}
