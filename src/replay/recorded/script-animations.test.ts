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
  return readAnimations({ list: [{ ...fades, ...changes }] }, 5_000).list[0]
}

function keyframe(given: object) {
  return read({ keyframes: [given] })?.keyframes[0]
}

test('reads an animation, and when it was reported', () => {
  const keyframes = [{ opacity: '0', easing: 'ease' }, { opacity: '1' }]
  expect(read({ secret: 1 })).toEqual({ ...fades, keyframes, at: 5_000 })
  expect(read({ at: 4_000 })?.at).toBe(4_000)
  // JSON has no infinity.
  for (const iterations of [null, Infinity])
    expect(read({ timing: { iterations, duration: 'auto', pseudoElement: null } })?.timing).toEqual({
      iterations: Infinity,
      duration: 'auto',
    })
})

test('keeps of keyframes only CSS that fetches nothing and shows no text', () => {
  const allowed = { transform: 'rotate(90deg)', '--size': '4px', clipPath: 'path("M0 0h9v9z")', offset: 0.5 }
  expect(keyframe(allowed)).toEqual(allowed)
  const refused = {
    backgroundImage: 'url(https://evil.example/a.png)',
    maskImage: 'image-set("https://evil.example/a.png" 1x)',
    filter: 'URL(#x)',
    color: String.raw`u\rl(x)`,
    content: '"4111 1111"',
    '--text': "'secret'",
    width: [4],
    height: { toString: 'x' },
    top: 'x'.repeat(1_001),
  }
  expect(keyframe(refused)).toEqual({})
})

test('leaves out what is not valid or too much', () => {
  for (const list of [undefined, 'all', [null, 7, 'x', []]])
    expect(readAnimations({ list }, 0).list).toEqual([])
  for (const change of [
    { id: 'x' },
    { node: null },
    { time: null },
    { rate: 'x' },
    { at: Infinity },
    { timing: 1 },
  ])
    expect(read(change)).toBeUndefined()
  expect(read({ keyframes: 'x' })?.keyframes).toEqual([])
  const many = Array.from({ length: 200 }, (_, id) => ({ ...fades, id }))
  expect(readAnimations({ list: many }, 0).list).toHaveLength(100)
  expect(read({ keyframes: many })?.keyframes).toHaveLength(100)
  const properties = Object.fromEntries(many.map(({ id }) => [`--p${id}`, '1']))
  expect(Object.keys(keyframe(properties) ?? {})).toHaveLength(100)
})

test('reading never fails, and a report that was read is read the same again', () => {
  const anything = fc.anything()
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const animation = fc.record({
    id: number,
    node: number,
    keyframes: fc.array(fc.dictionary(fc.string(), anything), { maxLength: 3 }),
    timing: fc.object(),
    time: number,
    rate: number,
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(anything, animation), { maxLength: 4 }), (list) => {
      const first = readAnimations({ list }, 1)
      expect(readAnimations({ ...first }, 2)).toEqual(first)
    }),
  )
})

test('changes the known animations, and forgets those that are over', () => {
  const report = (list: object[], others: object = {}, at = 5_000) => readAnimations({ list, ...others }, at)
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
  expect(animationsAfter(later, report([{ ...staying, keyframes: [] }]), 9_000).map(({ id }) => id)).toEqual([
    9,
  ])
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
