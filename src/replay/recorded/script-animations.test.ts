import fc from 'fast-check'
import { expect, test } from 'vitest'
import { animationsAfter, readAnimations, timeWithin, type ScriptAnimation } from './script-animations.ts'

const fades = {
  id: 7,
  node: 3,
  keyframes: [{ opacity: '0', offset: null, easing: 'ease' }, { opacity: '1' }],
  timing: { duration: 1_000 },
  time: 200,
  rate: 1,
}

/** Returns the only animation of a report with these changes of `fades`. */
function read(changes: object): ScriptAnimation | undefined {
  return readAnimations({ list: [{ ...fades, ...changes }] }, 5_000)?.list[0]
}

function keyframe(given: object) {
  return read({ keyframes: [given] })?.keyframes[0]
}

test('reads an animation, with the defaults of what was not sent', () => {
  expect(read({})).toEqual({
    id: 7,
    node: 3,
    keyframes: [
      { opacity: '0', easing: 'ease', offset: null },
      { opacity: '1', offset: null },
    ],
    timing: {
      delay: 0,
      endDelay: 0,
      duration: 1_000,
      iterations: 1,
      iterationStart: 0,
      easing: 'linear',
      fill: 'none',
      direction: 'normal',
      composite: 'replace',
      pseudoElement: null,
    },
    time: 200,
    rate: 1,
    at: 5_000,
  })
  // JSON has no infinity.
  for (const iterations of [null, Infinity])
    expect(read({ timing: { iterations, duration: 'auto' } })?.timing).toMatchObject({
      iterations: Infinity,
      duration: 0,
    })
  expect(read({ at: 4_000 })?.at).toBe(4_000)
})

test('keeps of keyframes only CSS that fetches nothing and shows no text', () => {
  const allowed = { transform: 'rotate(90deg)', '--size': '4px', clipPath: 'path("M0 0h9v9z")', offset: 0.5 }
  expect(keyframe({ ...allowed, computedOffset: 0.5 })).toEqual(allowed)
  const refused = {
    backgroundImage: 'url(https://evil.example/a.png)',
    maskImage: 'image-set("https://evil.example/a.png" 1x)',
    filter: 'URL(#x)',
    color: String.raw`u\rl(x)`,
    content: '"4111 1111"',
    '--text': "'secret'",
    'not a name': '1',
    width: 4,
    height: { toString: 'x' },
    top: 'x'.repeat(1_001),
  }
  expect(keyframe(refused)).toEqual({ offset: null })
})

test('refuses and limits what is not valid', () => {
  for (const report of [{}, { list: 'all' }, { list: [], ended: 7 }, { list: [], ended: ['x'] }])
    expect(readAnimations(report, 0)).toBeNull()
  expect(readAnimations({ list: Array.from({ length: 101 }, () => fades) }, 0)).toBeNull()
  expect(read({ keyframes: Array.from({ length: 101 }, () => ({})) })).toBeUndefined()
  for (const change of [{ id: 'x' }, { node: 1.5 }, { keyframes: null }, { timing: null }])
    expect(read(change)).toBeUndefined()
  const timing = { duration: -1, iterations: -1, fill: 'x', easing: 4, pseudoElement: '::a{}', composite: {} }
  expect(read({ timing, time: null, rate: 'fast' })).toMatchObject({
    timing: { duration: 0, iterations: 0, fill: 'none', easing: 'linear', pseudoElement: null },
    time: 0,
    rate: 0,
  })
})

test('reading never fails, and a report that was read is read the same again', () => {
  const anything = fc.anything()
  const animation = fc.record({
    id: fc.integer(),
    node: fc.integer(),
    keyframes: fc.array(fc.dictionary(fc.string(), anything), { maxLength: 3 }),
    timing: fc.object(),
    time: anything,
    rate: anything,
    at: anything,
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(anything, animation), { maxLength: 4 }), (list) => {
      const first = readAnimations({ list }, 1)
      expect(readAnimations({ ...first }, 2)).toEqual(first)
    }),
  )
})

test('changes the known animations, and forgets those that are over', () => {
  const report = (list: object[], others: object = {}, at = 5_000) =>
    readAnimations({ list, ...others }, at) ?? { list: [], ended: [], isAll: false }
  const [fading, staying, paused] = [
    fades,
    { ...fades, id: 8, timing: { duration: 10, fill: 'both' } },
    { ...fades, id: 9, rate: 0 },
  ]
  const first = animationsAfter([], report([fading, staying, paused]), 5_000)
  expect(first.map(({ id }) => id)).toEqual([7, 8, 9])
  const later = animationsAfter(first, report([{ ...paused, time: 300 }], {}, 9_000), 9_000)
  expect(later.map(({ id, time }) => [id, time])).toEqual([
    [8, 200],
    [9, 300],
  ])
  expect(animationsAfter(later, report([], { ended: [8] }), 9_000).map(({ id }) => id)).toEqual([9])
  expect(animationsAfter(later, report([staying], { isAll: true }), 9_000).map(({ id }) => id)).toEqual([8])
})

test('an animation goes on from its reported time at its own rate', () => {
  const [running, reversed, paused] = [{}, { rate: -2 }, { rate: 0 }].map((change) => read(change))
  for (const [animation, time] of [
    [running, 700],
    [reversed, -800],
    [paused, 200],
  ] as const)
    expect(animation && timeWithin(animation, 5_500)).toBe(time)
})
