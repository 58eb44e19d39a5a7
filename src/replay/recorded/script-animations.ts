import { isObject, objectsIn } from './rrweb.ts'

type Values = Record<string, string | number>

/** An animation that a script started. Times are in milliseconds. */
export type ScriptAnimation = {
  id: number
  /** Id of the animated element. */
  node: number
  keyframes: Values[]
  timing: Values
  /** The animation's own time at `at` (since the epoch), and how fast it passes; the rate is 0 while it is paused or over. */
  time: number
  rate: number
  at: number
}

/** New and changed animations, or all (`isAll`, in the reader's reports). Those without keyframes are over. */
export type AnimationChanges = { list: ScriptAnimation[]; isAll: boolean }

/** Largest number of animations, of keyframes, and of values in a keyframe. */
const countMax = 100
const valueLengthMax = 1_000
/** Values that could fetch a file, or show a text or picture that a link masks. A path in a `clip-path` is a string, too. */
const refusedValue = /\\|(?:url|src|image|image-set|element)\(/i
const nameOfString = /^(?:clipPath|offsetPath|font\w+)$/

/** Reads a report made at a time, without anything else that was sent. */
export function readAnimations(
  { list, isAll }: Record<string, unknown>,
  timestamp: number,
): AnimationChanges {
  const animations = objectsIn(list).slice(-countMax)
  return { list: animations.flatMap((one) => readAnimation(one, timestamp)), isAll: isAll === true }
}

function readAnimation(given: Record<string, unknown>, timestamp: number): ScriptAnimation[] {
  const { id, node, keyframes, timing, time, rate, at = timestamp } = given
  if (![id, node, time, rate, at].every(Number.isFinite) || !isObject(timing)) return []
  const values = {
    keyframes: objectsIn(keyframes).slice(0, countMax).map(readValues),
    timing: readValues(timing),
  }
  return [{ id, node, time, rate, at, ...values } as ScriptAnimation]
}

/** Reads the values that a browser may be given: it refuses those that it does not know. */
function readValues(given: Record<string, unknown>): Values {
  // JSON has no infinity.
  const endless = given['iterations'] === null && { iterations: Infinity }
  const values = Object.entries({ ...given, ...endless }).slice(0, countMax)
  return Object.fromEntries(values.filter(isAllowed)) as Values
}

function isAllowed([name, value]: [string, unknown]): boolean {
  if (typeof value !== 'string') return typeof value === 'number'
  if (value.length > valueLengthMax || refusedValue.test(value)) return false
  return nameOfString.test(name) || !/["']/.test(value)
}

/** Returns the animations after a report, oldest first, without those that no longer have an effect. */
export function animationsAfter(before: ScriptAnimation[], { list, isAll }: AnimationChanges, now: number) {
  const known = new Map((isAll ? list : [...before, ...list]).map((one) => [one.id, one]))
  return [...known.values()].filter((animation) => !isOver(animation, now)).slice(-countMax)
}

/** Returns an animation's own time at a time since the epoch. */
export function timeWithin({ time, rate, at }: ScriptAnimation, now: number): number {
  return time + (now - at) * rate
}

function isOver(animation: ScriptAnimation, now: number): boolean {
  const { delay = 0, duration = 0, iterations = 1, endDelay = 0, fill } = animation.timing
  const end = Number(delay) + (Number(duration) * Number(iterations) || 0) + Number(endDelay)
  const isPast = fill !== 'forwards' && fill !== 'both' && timeWithin(animation, now) >= end
  return isPast || animation.keyframes.length === 0
}
