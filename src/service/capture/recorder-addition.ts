/*
 * Extends posthog-js' recorder: reports what rrweb does not record, as custom events. It runs in the recorded pages, so its
 * functions refer only to each other and to the syntax and features of old browsers, and none may throw.
 */

/** What the addition uses of rrweb's recorder. */
type Recorder = {
  (options: Options): unknown
  mirror: { getId: (node: Node) => number }
  isRecording: () => boolean
  addCustomEvent: (tag: string, payload: unknown) => void
}
type Emit = (event: { type: number; timestamp?: number; data?: object }, isCheckout?: boolean) => void
type Hiding = 'blockClass' | 'blockSelector' | 'maskTextClass' | 'maskTextSelector'
type Options = { [option in Hiding]?: string } & { emit: Emit }
type PostHog = { get_property: (name: string) => { pageState?: boolean } | undefined }
type Extensions = {
  rrweb: { record: Recorder }
  initSessionRecording: (posthog: PostHog, ...rest: unknown[]) => unknown
}
type Given = {
  report: (part: string, state: unknown) => void
  /** Records what is made as rrweb would a change. It is not made after too many, and not recorded if it is too large. */
  change: (make: () => object) => void
  /** Returns a node's id; at most 0 for a node that is not recorded, such as one in a blocked element. */
  idOf: (node: Node) => number
  /** Whether an element is in one that is blocked, or whose texts are masked. */
  isHidden: (element: Element) => boolean
}
type After = (call: { on: Animation; isSet: boolean; result: never; given: [never, ...never[]] }) => void

/** The addition as a script, to be placed after the recorder, without the comments and spaces that would be sent. */
export const recorderAddition = `
;(function () {
${[attempt, listen, afterEach, watchPreferences, watchTopLayer, watchTarget, watchAnimations, watchFonts, watchImages, extendRecorder].join('\n')}
attempt(extendRecorder)
})()`
  .replaceAll(/(?<=\n)\s+(?:\/\/ .*\n)?|(?<= ) +/g, '')
  .replaceAll(/ (=>|[=?:<>+]|&&|\|\|) /g, '$1')

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    // The page and its recording continue without this part.
    return void error
  }
}

function listen(target: EventTarget, type: string, act: (event: Event) => void): void {
  // Old browsers cannot listen to media queries.
  attempt(() => target.addEventListener(type, (event) => attempt(() => act(event)), true))
}

/** Calls a function after each call of a method or constructor, and after each change of a property that has a setter. */
function afterEach(owner: object, name: string, act: After): void {
  attempt(() => {
    const property = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor
    const key = property.set ? 'set' : 'value'
    const original = property[key] as (...given: unknown[]) => object
    property[key] = function (this: unknown, ...given: unknown[]) {
      const result = new.target ? Reflect.construct(original, given, new.target) : original.apply(this, given)
      attempt(() => act({ on: this, isSet: key === 'set', result, given } as never))
      return result
    }
    property[key].prototype = original.prototype
    Object.defineProperty(owner, name, property)
  })
}

/** Makes the recorder report the whole page state after each full snapshot, and each change. */
function extendRecorder(): void {
  const { __PosthogExtensions__: extensions } = window as unknown as { __PosthogExtensions__: Extensions }
  const { rrweb, initSessionRecording: start } = extensions
  const { record } = rrweb
  let isOff = () => false
  extensions.initSessionRecording = (posthog, ...rest) => {
    // Its project's setting; an older process of the service does not send it.
    isOff = () => (posthog.get_property('$session_recording_remote_config') || {}).pageState === false
    return start(posthog, ...rest)
  }
  const report: Given['report'] = (part, state) =>
    attempt(isOff) || attempt(() => record.addCustomEvent(`spool/${part}`, state))
  let options: Options
  let lengthLeft = 0
  const change: Given['change'] = (make) => {
    if (lengthLeft < 1e3 || !record.isRecording() || attempt(isOff)) return
    const data = make()
    const { length } = JSON.stringify(data)
    // What is too large has taken time, too.
    lengthLeft -= length
    if (length < 1.5e5) options.emit({ type: 3, timestamp: Date.now(), data })
  }
  const isHidden: Given['isHidden'] = (element) => {
    const { blockClass, blockSelector, maskTextClass, maskTextSelector } = options
    const selectors = [`.${blockClass}`, blockSelector, `.${maskTextClass}`, maskTextSelector]
    return element.closest(selectors.filter(Boolean).join()) !== null
  }
  const idOf: Given['idOf'] = (node) => record.mirror.getId(node)
  const parts = [watchPreferences, watchTopLayer, watchTarget, watchAnimations, watchFonts, watchImages].map(
    (watch) => attempt(() => watch({ report, idOf, change, isHidden })),
  )
  const reportAll = () => {
    if (attempt(isOff)) return
    lengthLeft = 5e5
    parts.forEach((reportPart) => reportPart && attempt(reportPart))
  }
  const extended = (given: Options) => {
    options = given
    const emit: Emit = (event, isCheckout) => {
      options.emit(event, isCheckout)
      // The recorder accepts custom events only after it has emitted its first snapshot.
      if (event.type === 2) attempt(() => void Promise.resolve().then(reportAll))
    }
    return record(Object.assign({}, options, { emit }))
  }
  rrweb.record = Object.assign(extended, record)
}

/* Each of the following functions watches a part of the state, and returns a function that reports this part. */

/** Which of light and dark the visitor prefers, and which contrast. */
function watchPreferences({ report }: Given): () => void {
  const dark = 'prefers-color-scheme: dark'
  const levels = ['more', 'less', 'custom']
  const matches = (query: string) => matchMedia(`(${query})`).matches
  const forced = 'forced-colors: active'
  const read = () => {
    const level = levels.filter((each) => matches(`prefers-contrast: ${each}`))[0]
    const contrast = matches(forced) ? 'forced' : level || 'no-preference'
    report('preferences', { scheme: matches(dark) ? 'dark' : 'light', contrast })
  }
  for (const query of [dark, forced].concat(levels.map((level) => `prefers-contrast: ${level}`)))
    listen(matchMedia(`(${query})`), 'change', read)
  return read
}

/** Which popovers and modal dialogs are open, and in which order. Those in shadow roots are not found. */
function watchTopLayer({ report, idOf }: Given): () => void {
  let shown: Element[] = []
  const read = () => {
    const found = Array.from(document.querySelectorAll('dialog:modal, [popover]:popover-open'))
    const isNew = (element: Element) => shown.indexOf(element) < 0
    shown = shown.filter((element) => found.indexOf(element) >= 0).concat(found.filter(isNew))
    const ids = shown.map(idOf).filter((id) => id > 0)
    report('top-layer', { ids: ids.slice(-100) })
  }
  listen(document, 'toggle', ({ target }) => {
    if ((target as Element).nodeName === 'DETAILS') return
    // One that is shown again comes last.
    shown = shown.filter((element) => element !== target)
    read()
  })
  listen(document, 'close', read)
  return read
}

/** Which element matches `:target`. */
function watchTarget({ report, idOf }: Given): () => void {
  const read = () => {
    const element = document.querySelector(':target')
    const id = element ? idOf(element) : 0
    report('target', { id: id > 0 ? id : null })
  }
  listen(window, 'hashchange', read)
  return read
}

/** Which animations scripts have started, at most ten times a second. It sees none of frames, and none bound to scrolling. */
function watchAnimations({ report, idOf, isHidden }: Given): () => void {
  let live: Animation[] = []
  let isWaiting = false
  let reportedAt = 0
  const stateOf = (animation: Animation) => {
    const { playState, playbackRate, currentTime, timeline } = animation
    const effect = animation.effect as KeyframeEffect
    const node = effect.target && !isHidden(effect.target) ? idOf(effect.target) : 0
    const isOver =
      playState === 'idle' || (playState === 'finished' && effect.getComputedTiming().progress === null)
    if (node <= 0 || isOver || timeline !== document.timeline) return null
    const { composite, pseudoElement } = effect
    const timing = Object.assign(effect.getTiming(), { composite, pseudoElement })
    const rate = playState === 'running' ? playbackRate : 0
    return { node, keyframes: effect.getKeyframes(), timing, time: currentTime, rate }
  }
  const read = () => {
    isWaiting = false
    reportedAt = Date.now()
    live = live.slice(-100)
    const states = live.map((animation) => attempt(() => stateOf(animation)))
    live = live.filter((_, index) => states[index])
    let list = states.filter(Boolean)
    while (JSON.stringify(list).length > 1e5) list = list.slice(1 + list.length / 2)
    report('animations', { list })
  }
  // Those of CSS have other constructors.
  const isOfScript = (animation: Animation) => animation.constructor === Animation
  const change = (animation: Animation, isFrequent = false) => {
    if (!isOfScript(animation)) return
    if (live.indexOf(animation) < 0) live.push(animation)
    // The microtask between records the nodes that the page adds, which gives them ids.
    if (!isWaiting && (isFrequent || Date.now() < reportedAt + 100)) setTimeout(read, 100)
    else if (!isWaiting) queueMicrotask(() => queueMicrotask(read))
    isWaiting = true
  }
  afterEach(Element.prototype, 'animate', ({ result }) => change(result))
  const names = 'play pause reverse cancel finish updatePlaybackRate currentTime startTime playbackRate'
  for (const name of names.split(' '))
    afterEach(Animation.prototype, name, ({ on, isSet }) => change(on, isSet))
  return () => {
    live = document.getAnimations().filter(isOfScript)
    read()
  }
}

/** Which fonts scripts have added; of those made of bytes, or before the recorder was loaded, only that they are missing. */
function watchFonts({ change }: Given): () => void {
  const created = new WeakMap<FontFace, [family: string, source?: string | ArrayBuffer, options?: object]>()
  const { add } = FontFaceSet.prototype
  // In Chrome, fonts of style sheets cannot be added, and others are not added twice.
  const isOfScript = (face: FontFace) =>
    navigator.vendor === 'Google Inc.' && attempt(() => add.call(document.fonts, face))
  const reportFont = (face: FontFace) => {
    const [family, source, descriptors] = created.get(face) || [isOfScript(face) && face.family]
    if (!family) return
    const isKnown = typeof source === 'string' && source.length < 1e5
    // The player counts an address without a file as a missing font.
    const fontSource = isKnown ? source : `url("blob:${encodeURI(family)}.woff2")`
    change(() => ({ source: 10, family: isKnown ? family : '-', buffer: false, fontSource, descriptors }))
  }
  afterEach(window, 'FontFace', ({ result, given }) => created.set(result, given as never))
  afterEach(FontFaceSet.prototype, 'add', ({ given }) => reportFont(given[0]))
  return () => document.fonts.forEach(reportFont)
}

/** The pictures of images at `blob:` addresses, which only the page can load. */
function watchImages({ idOf, change, isHidden }: Given): () => void {
  const read = (image: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height, src: blob } = image
    const id = idOf(image)
    if (!width || !blob.startsWith('blob:') || id <= 0 || isHidden(image)) return
    change(() => {
      const scale = Math.min(1, 1e3 / Math.max(width, height))
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: width * scale, height: height * scale })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      const picture = canvas.toDataURL('image/webp')
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="100%" href="${picture}"/></svg>`
      // The player counts the blob as missing until it finds its address here.
      const attributes = { src: `data:image/svg+xml,${encodeURIComponent(svg)}#${blob}` }
      return { source: 0, texts: [], removes: [], adds: [], attributes: [{ id, attributes }] }
    })
  }
  listen(document, 'load', ({ target }) => read(target as HTMLImageElement))
  // One at a time, since each takes some milliseconds.
  const readLater = (image: HTMLImageElement, index: number) =>
    setTimeout(attempt, index * 20, () => read(image))
  return () => Array.from(document.images).forEach(readLater)
}
