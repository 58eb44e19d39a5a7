import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnimations, type ScriptAnimation } from './script-animations.ts'

const fades = {
  node: 3,
  keyframes: [{ opacity: '0', offset: null, easing: 'ease' }, { opacity: '1' }],
  timing: { delay: 0, duration: 1_000, endDelay: 0, iterations: 1, fill: 'none' },
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
  expect(read({ timing: { duration: 'auto', iterations: null, pseudoElement: null } })?.timing).toEqual({
    duration: 'auto',
    iterations: Infinity,
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
  for (const change of [{ node: null }, { time: null }, { rate: 'x' }, { at: Infinity }, { timing: 1 }])
    expect(read(change)).toBeUndefined()
  // These would make positions infinite.
  for (const change of [{ time: 1e300 }, { rate: -1e308 }, { at: 1e16 }]) expect(read(change)).toBeUndefined()
  // `animate()` refuses values of options that it reads otherwise.
  expect(read({ timing: { iterations: 1, timeline: 'x', fill: 'both' } })?.timing).toEqual({
    iterations: 1,
    fill: 'both',
  })
  expect(read({ keyframes: 'x' })?.keyframes).toEqual([])
  const many = Array.from({ length: 200 }, (_, id) => ({ ...fades, id }))
  expect(readAnimations({ list: many }, 0).list).toHaveLength(100)
  expect(read({ keyframes: many })?.keyframes).toHaveLength(100)
  const properties = Object.fromEntries(many.map(({ id }) => [`--p${id}`, '1']))
  expect(Object.keys(keyframe(properties) ?? {})).toHaveLength(100)
})

test('keeps of a report that is too large the newest animations', () => {
  const nodesOf = (keyframe: object, frames: number) => {
    const keyframes = Array.from({ length: frames }, () => keyframe)
    const list = [1, 2, 3, 4].map((node) => ({ ...fades, node, keyframes }))
    return readAnimations({ list }, 0).list.map(({ node }) => node)
  }
  const properties = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`--p${index}`, 1]))
  expect(nodesOf(properties, 75)).toEqual([3, 4])
  expect(nodesOf({ filter: 'x'.repeat(900) }, 70)).toEqual([2, 3, 4])
})

test('reading never fails, and a report that was read is read the same again', () => {
  const anything = fc.anything()
  const number = fc.double({ noNaN: true, min: -1e4, max: 1e4 })
  const animation = fc.record({
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
