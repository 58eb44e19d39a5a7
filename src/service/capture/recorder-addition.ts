/*
 * The addition to posthog-js' recorder: it tells what rrweb does not record, as custom events of the recording. It runs in
 * the recorded pages, so its functions refer only to each other and to what old browsers have, and none may throw.
 */

/** What the addition uses of rrweb's recorder. */
type Recorder = {
  (options: Options): unknown
  addCustomEvent: (tag: string, payload: unknown) => void
}
type Options = { emit: (event: { type: number }, isCheckout?: boolean) => void }
type Tell = (part: string, state: unknown) => void

/** The addition as a script, to be placed after the recorder. */
export const recorderAddition = `
;(function () {
${[attempt, watchPreferences, extendRecorder].join('\n')}
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

/** Makes the recorder tell the whole state after each full snapshot, and every change. */
function extendRecorder(): void {
  type Extended = { __PosthogExtensions__: { rrweb: { record: Recorder } } }
  const { __PosthogExtensions__: extensions } = window as unknown as Extended
  const { rrweb } = extensions
  const { record } = rrweb
  const tell: Tell = (part, state) => attempt(() => record.addCustomEvent(`spool/${part}`, state))
  let parts: ((() => void) | undefined)[] | null = null
  const tellAll = () => {
    parts = parts || [watchPreferences].map((watch) => attempt(() => watch(tell)))
    for (const tellPart of parts) if (tellPart) attempt(tellPart)
  }
  const extended = (options: Options) => {
    const emit: Options['emit'] = (event, isCheckout) => {
      options.emit(event, isCheckout)
      // The recorder accepts custom events only after it has emitted its first snapshot.
      if (event.type === 2) attempt(() => void Promise.resolve().then(tellAll))
    }
    return record(Object.assign({}, options, { emit }))
  }
  rrweb.record = Object.assign(extended, record)
}

/* Each of the following functions watches a part of the state, and returns a function that tells this part. */

/** Which of light and dark the visitor prefers, and which contrast. */
function watchPreferences(tell: Tell): () => void {
  const dark = 'prefers-color-scheme: dark'
  const levels = ['more', 'less', 'custom']
  const matches = (query: string) => matchMedia(`(${query})`).matches
  const forced = 'forced-colors: active'
  const read = () => {
    const level = levels.filter((each) => matches(`prefers-contrast: ${each}`))[0]
    const contrast = matches(forced) ? 'forced' : level || 'no-preference'
    tell('preferences', { scheme: matches(dark) ? 'dark' : 'light', contrast })
  }
  for (const query of [dark, forced].concat(levels.map((level) => `prefers-contrast: ${level}`)))
    attempt(() => matchMedia(`(${query})`).addEventListener('change', read))
  return read
}
