import type { Replayer } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  sourceOf,
  type ReplayEvent,
  type Size,
} from '../../../replay/recorded/rrweb.ts'
import type { Assets } from './assets.ts'
import type { FromReader, ToReader } from '../reader/reader-messages.ts'
import { createReplayer, seekPaused } from './replayer.ts'
import { phone } from '../mobile/screen-document.ts'
import { allCandidates, loadableCandidates, placeholderStart } from '../reader/placeholders.ts'
import { isElement } from './replay-part.ts'

/** Playback time (ms) for which events are sent ahead; more are requested when half of it is left. */
const aheadMs = 4_000

type Wanted = { time: number; isPlaying: boolean; speed: number }

/**
 * Shows one page at a time, scaled to fit a box, by default the window. It has one replayer; the reader sends the events
 * that turn its page into another one. `onSize` receives the size of each shown page.
 */
export class Stage {
  readonly #root: HTMLElement
  readonly #assets: Assets
  readonly #ask: (message: ToReader) => void
  readonly #onSize: (size: Size) => void
  readonly #box: () => Size
  #replayer: Replayer | null = null
  #size: Size = { width: 1, height: 1 }
  /** Start of the recording, in milliseconds since the epoch. */
  #start = 0
  /** The request that the reader has not answered yet, and the one to send after it. */
  #asked: Wanted | null = null
  #wanted: Wanted | null = null
  #isHidden = false
  /** The current playback, and the time until which its events have been sent; null while paused. */
  #playing: { speed: number; until: number; isAskedForMore: boolean } | null = null

  constructor(
    root: HTMLElement,
    assets: Assets,
    ask: (message: ToReader) => void,
    onSize: (size: Size) => void,
    box = () => ({ width: innerWidth, height: innerHeight }),
  ) {
    this.#root = root
    this.#assets = assets
    this.#ask = ask
    this.#onSize = onSize
    this.#box = box
    addEventListener('resize', () => this.#fit())
  }

  /** Sets the start of the recording, before which nothing is shown. */
  open(time: number): void {
    this.#start = time
  }

  /** Creates the document of the page, which is empty, before the page is known. */
  prepare(): void {
    this.#opened().wrapper.hidden = true
  }

  /** Shows the page at a time (ms since the epoch), and plays from there if `isPlaying`. */
  show(time: number, how: { isPlaying: boolean; speed: number }): void {
    this.#isHidden = false
    this.#wanted = { time, ...how }
    this.#request()
  }

  hide(): void {
    this.#isHidden = true
    this.#wanted = null
    this.#stop()
    if (this.#replayer) this.#replayer.wrapper.hidden = true
  }

  /** Removes the page and its document. */
  clear(): void {
    this.#replayer?.destroy()
    this.#replayer = null
    this.#asked = null
    this.#wanted = null
  }

  /** Shows assets that were stored after their elements were built. */
  showArrivals(): void {
    if (this.#replayer) showArrivals(this.#replayer, this.#assets)
  }

  /** Requests more events while playing. */
  tick(): void {
    const playing = this.#playing
    if (!playing || playing.isAskedForMore) return
    if (playing.until - this.#applied() > (aheadMs * playing.speed) / 2) return
    playing.isAskedForMore = true
    this.#ask({ kind: 'more', applied: this.#applied(), aheadMs: aheadMs * playing.speed })
  }

  receiveMore({ next, until }: Extract<FromReader, { kind: 'more' }>): void {
    if (this.#playing && this.#replayer) dropApplied(this.#replayer, this.#applied())
    this.#add(next)
    if (this.#playing) this.#playing = { ...this.#playing, until, isAskedForMore: false }
  }

  /** Builds a part of the next page, which stays hidden until it is complete; a seek waits for all parts. */
  receivePart({ time, contrast, events }: Extract<FromReader, { kind: 'part' }>): void {
    const replayer = this.#opened()
    replayer.wrapper.hidden = true
    this.#assets.visitor.contrast = contrast
    replaceEvents(replayer, between(this.#start, events))
    seekPaused(replayer, time - this.#start + 1)
  }

  receivePage({ time, contrast, events, next, until }: Extract<FromReader, { kind: 'page' }>): void {
    const { isPlaying = false, speed = 1 } = this.#asked ?? {}
    this.#asked = null
    if (events.length > 0) {
      const replayer = this.#opened()
      this.#assets.visitor.contrast = contrast
      // First, because a hidden page cannot be scrolled.
      if (!this.#wanted) replayer.wrapper.hidden = this.#isHidden
      replaceEvents(replayer, between(this.#start, events))
      replayer.setConfig({ speed })
      // rrweb applies only events before the offset; add 1 to include those at this time.
      const offset = time - this.#start + 1
      if (isPlaying && !this.#wanted && !this.#isHidden) {
        replayer.play(offset)
        this.#playing = { speed, until, isAskedForMore: false }
      } else seekPaused(replayer, offset)
      this.#add(next)
      this.#fit()
    }
    this.#request()
  }

  #opened(): Replayer {
    if (this.#replayer) return this.#replayer
    this.#replayer = createReplayer(this.#root, between(this.#start, []), this.#assets, () => {
      const { speed } = this.#playing ?? {}
      if (speed) this.show(this.#applied(), { isPlaying: true, speed })
    })
    this.#replayer.on('resize', (resized) => {
      this.#size = resized as Size
      this.#onSize(this.#size)
      this.#fit()
    })
    return this.#replayer
  }

  #fit(): void {
    if (!this.#replayer) return
    const { width, height } = this.#size
    const edge = 2 * framePhone(this.#replayer)
    const { width: boxWidth, height: boxHeight } = this.#box()
    const scale = Math.min(boxWidth / (width + edge), boxHeight / (height + edge))
    const [left, top] = [(boxWidth - width * scale) / 2, (boxHeight - height * scale) / 2]
    this.#replayer.wrapper.style.transform = `translate(${left}px, ${top}px) scale(${scale})`
  }

  /** Returns the time before which the replayer has applied all events. */
  #applied(): number {
    return this.#replayer ? this.#start + this.#replayer.getCurrentTime() : 0
  }

  /** Stops the playback; the page is paused when the answer arrives, so that it is not restyled twice. */
  #stop(): void {
    if (this.#playing) this.#replayer?.service.send({ type: 'PAUSE' })
    this.#playing = null
  }

  #request(): void {
    if (!this.#wanted || this.#asked) return
    this.#asked = this.#wanted
    this.#wanted = null
    this.#stop()
    const { time, isPlaying, speed } = this.#asked
    const ahead = isPlaying ? aheadMs * speed : 0
    this.#ask({ kind: 'show', time, applied: this.#applied(), aheadMs: ahead })
  }

  #add(events: readonly ReplayEvent[]): void {
    for (const event of events) this.#replayer?.addEvent(event as unknown as eventWithTime)
  }
}

/** Adds an event at the start, from which rrweb counts, and one that is never reached, so that rrweb never stops. */
function between(start: number, events: readonly ReplayEvent[]): ReplayEvent[] {
  const marker = { type: EventType.Custom, data: { tag: '', payload: {} } }
  return [{ ...marker, timestamp: start }, ...events, { ...marker, timestamp: Number.MAX_SAFE_INTEGER }]
}

/** Replaces the events of a replayer, which keeps its page. */
function replaceEvents(replayer: Replayer, events: readonly ReplayEvent[]): void {
  // rrweb itself looks for touches only in the events that it is created with and in those that are added.
  if (events.some(isTouch)) replayer.wrapper.querySelector('.replayer-mouse')?.classList.add('touch-device')
  const { context } = replayer.service.state
  context.events.splice(0, context.events.length, ...(events as unknown as eventWithTime[]))
  context.lastPlayedEvent = null
}

/** Forgets applied events during a playback: those of a large screen have pictures. Fonts can be shown again. */
function dropApplied({ service }: Replayer, applied: number): void {
  const { context } = service.state
  context.events = context.events.filter(
    (event, index) =>
      index === 0 || event.timestamp >= applied || sourceOf(event as ReplayEvent) === IncrementalSource.Font,
  )
}

function isTouch(event: ReplayEvent): boolean {
  const source = sourceOf(event)
  return (
    source === IncrementalSource.TouchMove ||
    (source === IncrementalSource.MouseInteraction && event.data['type'] === MouseInteractions.TouchStart)
  )
}

/** Width of the edge around the screen, in pixels of the screen; `frame.css` draws it. */
const edgeWidth = 14

/** Shows a replayed document as a phone if it is an app's screen. Returns the width in pixels that this adds on each side. */
function framePhone({ iframe, wrapper }: Replayer): number {
  const isPhone = iframe.contentDocument?.documentElement?.hasAttribute(phone) ?? false
  wrapper.classList.toggle('phone', isPhone)
  return isPhone ? edgeWidth : 0
}

/** Replaces the placeholders of assets that have been stored since a replayer built its documents. */
function showArrivals(replayer: Replayer, assets: Assets): void {
  const internals = replayer as unknown as { applyIncremental: (event: unknown, isSync: boolean) => void }
  const now = replayer.getMetaData().startTime + replayer.getCurrentTime()
  // A font that could not be loaded stays without its file, so it is added again.
  for (const event of replayer.service.state.context.events as unknown as ReplayEvent[])
    if (sourceOf(event) === IncrementalSource.Font && event.timestamp <= now)
      internals.applyIncremental(event, true)
  const mirror = replayer.getMirror()
  for (const id of mirror.getIds()) {
    const node = mirror.getNode(id)
    if (!node) continue
    if (isElement(node)) {
      for (const attribute of node.attributes) resolveAttribute(node, attribute, assets)
      if ('sheet' in node) resolveRules(node.sheet as CSSStyleSheet | null, assets)
    }
    const root = isElement(node) ? node.shadowRoot : (node as Document)
    for (const sheet of root?.adoptedStyleSheets ?? []) resolveRules(sheet, assets)
  }
}

function resolveAttribute(element: Element, attribute: Attr, assets: Assets): void {
  const resolved = assets.resolveText(attribute.value)
  if (resolved === attribute.value) return
  attribute.value = resolved
  if (attribute.name === allCandidates) element.setAttribute('srcset', loadableCandidates(resolved))
}

/** Replaces each rule where it is: the text of the style sheet lacks the rules that scripts added. */
function resolveRules(sheet: CSSStyleSheet | null, assets: Assets): void {
  for (const [index, { cssText }] of [...(sheet?.cssRules ?? [])].entries()) {
    if (!cssText.includes(placeholderStart)) continue
    const resolved = assets.resolveText(cssText)
    if (resolved === cssText) continue
    sheet?.insertRule(resolved, index + 1)
    sheet?.deleteRule(index)
  }
}
