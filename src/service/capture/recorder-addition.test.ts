import { gzipSync } from 'node:zlib'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { readState } from '../../replay/recorded/page-state.ts'
import { EventType, IncrementalSource } from '../../replay/recorded/rrweb.ts'
import { recorderAddition } from './recorder-addition.ts'

type Emit = (event: { type: number; data?: object }, isCheckout?: boolean) => void

/** Runs the addition in a page with these globals and configuration of posthog-js; returns what is recorded until microtasks have run. */
async function recordedWith(
  globals: object,
  config?: object,
  hasStopped = () => false,
): Promise<{ type: number; data?: object }[]> {
  const events: { type: number; data?: object }[] = []
  let emit: Emit | null = null
  const record = Object.assign(
    (options: { emit: Emit }) => {
      options.emit({ type: EventType.FullSnapshot }, true)
      emit = options.emit
      return 'stop'
    },
    {
      isRecording: () => emit !== null && !hasStopped(),
      mirror: { getId: ({ id }: { id: number }) => id },
      addCustomEvent(tag: string, payload: unknown) {
        if (!emit) throw new Error('please add custom event after start recording')
        emit({ type: EventType.Custom, data: { tag, payload } })
      },
    },
  )
  const rrweb = { record }
  const extensions = { rrweb, initSessionRecording: (...given: unknown[]) => given }
  const { window = {}, ...others } = globals as { window?: object }
  runInNewContext(recorderAddition, {
    window: Object.assign(window, { __PosthogExtensions__: extensions }),
    ...others,
  })
  const posthog = {
    get_property: (name: string) => (name === '$session_recording_remote_config' ? config : 1),
  }
  expect(extensions.initSessionRecording(posthog, true)).toEqual([posthog, true])
  const options = { blockClass: 'ph-no-capture', maskTextClass: 'ph-mask', maskTextSelector: '#private' }
  expect(rrweb.record({ ...options, emit: (event) => events.push(event) })).toBe('stop')
  await microtasks()
  expect(rrweb.record.mirror.getId({ id: 7 })).toBe(7)
  return events
}

/** Resolves when all microtasks have run. */
function microtasks(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}

test('has at most 3 kB, compressed', () => {
  expect(gzipSync(recorderAddition).length).toBeLessThanOrEqual(3_000)
})

test('reports the preferences after a full snapshot, and when they change', async () => {
  const on = new Set(['(prefers-color-scheme: dark)', '(prefers-contrast: more)'])
  const listeners: (() => void)[] = []
  const matchMedia = (query: string) => ({
    matches: on.has(query),
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
  })
  const events = await recordedWith({ matchMedia })
  on.clear()
  listeners[0]?.()
  const states = events.flatMap(
    (event) => readState({ timestamp: 0, ...event, data: { ...event.data } }) ?? [],
  )
  expect(states.filter(({ tag }) => tag === 'spool/preferences')).toEqual([
    { tag: 'spool/preferences', payload: { scheme: 'dark', contrast: 'more' } },
    { tag: 'spool/preferences', payload: { scheme: 'light', contrast: 'no-preference' } },
  ])
})

test('reports what is in the top layer, the uppermost last, without nodes that are not recorded', async () => {
  const [one, two, blocked] = [{ id: 1 }, { id: 2 }, { id: -1 }]
  let open = [one, two, blocked]
  const listeners = new Map<string, (event: object) => void>()
  const document = {
    querySelectorAll: () => open,
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  }
  const events = await recordedWith({ document })
  // It was closed and opened again.
  listeners.get('toggle')?.({ target: one })
  open = [two]
  listeners.get('close')?.({ target: one })
  expect(events.slice(1).map(({ data }) => data)).toEqual([
    { tag: 'spool/top-layer', payload: { ids: [1, 2] } },
    { tag: 'spool/top-layer', payload: { ids: [2, 1] } },
    { tag: 'spool/top-layer', payload: { ids: [2] } },
  ])
})

test('reports how the animations of scripts go on, without those of CSS and of hidden nodes, at most ten times a second', async () => {
  const document = {
    timeline: {},
    getAnimations: (): object[] => [new Animation(one), new CSSAnimation(one)],
  }
  class Effect {
    target: object
    composite = 'replace'
    pseudoElement = null
    constructor(target: object) {
      this.target = target
    }
    getTiming = () => ({ duration: 100, iterations: Infinity })
    getComputedTiming = () => ({ progress: null })
    getKeyframes = () => [{ opacity: '0' }]
  }
  class Animation {
    effect: Effect
    timeline = document.timeline
    currentTime: number | null = 0
    playbackRate = 1
    playState = 'running'
    constructor(target: object) {
      this.effect = new Effect(target)
    }
    pause() {
      this.playState = 'paused'
    }
    cancel() {
      this.playState = 'idle'
      return 'cancelled'
    }
  }
  class CSSAnimation extends Animation {
    animationName = 'spin'
  }
  class Element {
    id: number
    constructor(id: number) {
      this.id = id
    }
    closest = () => (this.id === 3 ? {} : null)
    animate() {
      return new Animation(this)
    }
  }
  const [one, two, blocked, masked] = [new Element(1), new Element(2), new Element(-1), new Element(3)]
  const later: (() => void)[] = []
  const setTimeout = (act: () => void) => later.push(act)
  const events = await recordedWith({ document, Element, Animation, queueMicrotask, setTimeout })
  const fading = two.animate()
  blocked.animate()
  masked.animate()
  one.animate().playState = 'finished'
  fading.currentTime = 40
  fading.pause()
  later.splice(0).forEach((act) => act())
  expect(fading.cancel()).toBe('cancelled')
  later.splice(0).forEach((act) => act())
  const reports = events.flatMap(({ data }) => {
    const state = readState({ type: EventType.Custom, timestamp: 0, data: { ...data } })
    return state?.tag === 'spool/animations' ? state.payload : []
  })
  expect(reports).toMatchObject([
    { list: [{ node: 1, time: 0, rate: 1, keyframes: [{ opacity: '0' }] }] },
    { list: [{ node: 1 }, { node: 2, time: 40, rate: 0, timing: { duration: 100, iterations: Infinity } }] },
    { list: [{ node: 1 }] },
  ])
})

test('records the fonts that scripts add, and as missing those made of bytes or too early', async () => {
  class FontFace {
    family: string
    constructor(family: string, _source: unknown, _descriptors?: object) {
      this.family = family
    }
  }
  class FontFaceSet extends Set<FontFace> {
    override add(face: FontFace) {
      if (face.family === 'CSS') throw new Error('the font is of a style sheet')
      return super.add(face)
    }
  }
  const fonts = new FontFaceSet([new FontFace('Early face', '')])
  Set.prototype.add.call(fonts, new FontFace('CSS', ''))
  const page = { __PosthogExtensions__: {}, FontFace }
  const events = await recordedWith({
    window: page,
    document: { fonts },
    FontFaceSet,
    navigator: { vendor: 'Google Inc.' },
  })
  const { FontFace: Wrapped } = page
  const sent = () =>
    events.splice(0).flatMap(({ type, data }) => (type === EventType.IncrementalSnapshot ? [data] : []))
  const named = (family: string, fontSource: string) => ({
    source: IncrementalSource.Font,
    buffer: false,
    family,
    fontSource,
  })
  expect(sent()).toEqual([named('-', 'url("blob:Early%20face.woff2")')])
  expect([...fonts].map(({ family }) => family)).toEqual(['Early face', 'CSS'])
  const added = new Wrapped('Sample', 'url(a.woff2)', { weight: '100 900' })
  expect(added).toBeInstanceOf(FontFace)
  fonts.add(added)
  fonts.add(new Wrapped('Bytes', new Uint8Array([1, 2, 3])))
  fonts.add(new Wrapped('Long', `url(data:font/woff2;base64,${'A'.repeat(100_000)})`))
  expect(sent()).toEqual([
    { ...named('Sample', 'url(a.woff2)'), descriptors: { weight: '100 900' } },
    named('-', 'url("blob:Bytes.woff2")'),
    named('-', 'url("blob:Long.woff2")'),
  ])
})

test('records the pictures of images at blob: addresses, but none that are blocked or in a masked part', async () => {
  const image = (id: number, src: string, hiddenBy = '') => ({
    id,
    src,
    naturalWidth: 4_000,
    naturalHeight: 1_000,
    closest: (selectors: string) => (selectors.split(',').includes(hiddenBy) ? {} : null),
  })
  const images = [
    image(1, 'blob:https://shop.example/1'),
    image(2, 'https://shop.example/lamp.png'),
    image(-1, 'blob:https://shop.example/2'),
    image(3, 'blob:https://shop.example/3', '.ph-mask'),
    image(4, 'blob:https://shop.example/4', '#private'),
    image(5, 'blob:https://shop.example/5', '.ph-no-capture'),
  ]
  const drawn: unknown[][] = []
  const createElement = () => ({
    getContext: () => ({ drawImage: (...given: unknown[]) => drawn.push(given.slice(3)) }),
    toDataURL: () => 'data:image/webp;base64,AAAA',
  })
  const document = { images, createElement, addEventListener: () => undefined }
  const setTimeout = (attempt: (act: () => void) => void, _ms: number, act: () => void) => attempt(act)
  const events = await recordedWith({ document, setTimeout })
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="1000"><image width="100%" href="data:image/webp;base64,AAAA"/></svg>'
  const src = `data:image/svg+xml,${encodeURIComponent(svg)}#blob:https://shop.example/1`
  expect(events.filter(({ type }) => type === EventType.IncrementalSnapshot)).toMatchObject([
    { data: { source: IncrementalSource.Mutation, attributes: [{ id: 1, attributes: { src } }] } },
  ])
  expect(drawn).toEqual([[1_000, 250]])
  expect(await recordedWith({ document, setTimeout }, undefined, () => true)).toEqual([
    { type: EventType.FullSnapshot },
  ])
  expect(drawn).toHaveLength(1)
})

test('reports what the project records, and all if its setting is unknown', async () => {
  const document = { querySelector: () => ({ id: 3 }), addEventListener: () => undefined }
  const target = { type: EventType.Custom, data: { tag: 'spool/target', payload: { id: 3 } } }
  for (const config of [undefined, {}, { pageState: true }])
    expect(await recordedWith({ document }, config)).toContainEqual(target)
  expect(await recordedWith({ document }, { pageState: false })).toEqual([{ type: EventType.FullSnapshot }])
})

test('changes nothing where a page lacks everything that the addition needs, or every call fails', async () => {
  expect(await recordedWith({})).toEqual([{ type: EventType.FullSnapshot }])
  const fails = () => {
    throw new Error('not here')
  }
  expect(await recordedWith({ matchMedia: fails })).toEqual([{ type: EventType.FullSnapshot }])
  runInNewContext(recorderAddition, {})
  runInNewContext(recorderAddition, { window: { __PosthogExtensions__: {} } })
})
