/*
 * Extends posthog-js' recorder: reports what rrweb does not record, as custom events. It runs in the recorded pages, so its
 * functions refer only to each other and to the syntax and features of old browsers, and none may throw.
 */

/** What the addition uses of rrweb's recorder. */
type Recorder = {
  (options: Options): unknown
  mirror: { getId: (node: Node) => number }
  addCustomEvent: (tag: string, payload: unknown) => void
}
type Options = { emit: (event: { type: number }, isCheckout?: boolean) => void }
type PostHog = { get_property: (name: string) => { pageState?: boolean } | undefined }
type Extensions = {
  rrweb: { record: Recorder }
  initSessionRecording: (posthog: PostHog, ...rest: unknown[]) => unknown
}
type Report = (part: string, state: unknown) => void
/** Returns a node's id; at most 0 for a node that is not recorded, such as one in a blocked element. */
type IdOf = (node: Node) => number

type After = (call: { on: Animation; result: never; given: never[] }) => void

/** The addition as a script, to be placed after the recorder. */
export const recorderAddition = `
;(function () {
${[attempt, listen, afterEach, watchPreferences, watchTopLayer, watchTarget, watchAnimations, extendRecorder].join('\n')}
attempt(extendRecorder)
})()`

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
      attempt(() => act({ on: this, result, given } as never))
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
  const report: Report = (part, state) =>
    attempt(isOff) || attempt(() => record.addCustomEvent(`spool/${part}`, state))
  const idOf: IdOf = (node) => record.mirror.getId(node)
  const parts = [watchPreferences, watchTopLayer, watchTarget, watchAnimations].map((watch) =>
    attempt(() => watch(report, idOf)),
  )
  const reportAll = () => parts.forEach((reportPart) => reportPart && attempt(reportPart))
  const extended = (options: Options) => {
    const emit: Options['emit'] = (event, isCheckout) => {
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
function watchPreferences(report: Report): () => void {
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
function watchTopLayer(report: Report, idOf: IdOf): () => void {
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
function watchTarget(report: Report, idOf: IdOf): () => void {
  const read = () => {
    const element = document.querySelector(':target')
    const id = element ? idOf(element) : 0
    report('target', { id: id > 0 ? id : null })
  }
  listen(window, 'hashchange', read)
  return read
}

/** Which animations scripts have started, and how these go on. It sees no animations of frames and those bound to scrolling. */
function watchAnimations(report: Report, idOf: IdOf): () => void {
  const ids = new WeakMap<Animation, number>()
  // Two pages never use the same ids.
  let next = Date.now()
  const changed: Animation[] = []
  const stateOf = (animation: Animation) => {
    const effect = animation.effect as KeyframeEffect
    const node = effect.target ? idOf(effect.target) : 0
    // Those of CSS have other constructors.
    if (node <= 0 || animation.constructor !== Animation) return null
    const id = ids.get(animation) || (next += 1)
    ids.set(animation, id)
    const { composite, pseudoElement } = effect
    const timing = Object.assign(effect.getTiming(), { composite, pseudoElement })
    const isOver = animation.playState === 'idle' || animation.timeline !== document.timeline
    const keyframes = isOver ? [] : effect.getKeyframes()
    const rate = animation.playState === 'running' ? animation.playbackRate : 0
    return { id, node, keyframes, timing, time: animation.currentTime || 0, rate }
  }
  const reportThese = (animations: Animation[]) =>
    report('animations', { list: animations.map((one) => attempt(() => stateOf(one))).filter(Boolean) })
  const reportChanged = () => void (changed.length > 0 && reportThese(changed.splice(0).slice(-100)))
  const change = (animation: Animation, isFrequent = false) => {
    if (changed.indexOf(animation) < 0) changed.push(animation)
    else if (isFrequent) return
    // The microtask between records the nodes that the page adds, which gives them ids.
    if (isFrequent) setTimeout(reportChanged, 100)
    else queueMicrotask(() => queueMicrotask(reportChanged))
  }
  afterEach(Element.prototype, 'animate', ({ result }) => change(result))
  for (const name of ['play', 'pause', 'reverse', 'cancel', 'finish', 'updatePlaybackRate'])
    afterEach(Animation.prototype, name, ({ on }) => change(on))
  for (const name of ['currentTime', 'startTime', 'playbackRate'])
    afterEach(Animation.prototype, name, ({ on }) => change(on, true))
  return () => reportThese(document.getAnimations().slice(-100))
}
