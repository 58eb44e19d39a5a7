import { isObject } from './rrweb.ts'

/** An animation that a script started. Times are in milliseconds. */
export type ScriptAnimation = {
  id: number
  /** Id of the animated element. */
  node: number
  keyframes: Record<string, string | number | null>[]
  timing: KeyframeEffectOptions & { duration: number; iterations: number }
  /** The animation's own time at `at` (since the epoch), and how fast it passes; the rate is 0 while it is paused or over. */
  time: number
  rate: number
  at: number
}

/** A report of new and changed animations, and of the ids of those that are over. */
export type AnimationChanges = {
  list: ScriptAnimation[]
  ended: number[]
  /** Whether the list is complete, as in the reports of the reader. */
  isAll: boolean
}

const animationsMax = 100
const keyframesMax = 100
const propertiesMax = 50
const valueLengthMax = 1_000
const fills = ['none', 'forwards', 'backwards', 'both'] as const
const directions = ['normal', 'reverse', 'alternate', 'alternate-reverse'] as const
const composites = ['replace', 'add', 'accumulate'] as const
const propertyName = /^(?:--)?[a-z][\w-]{0,100}$/i
/** Values that could fetch a file, or show a text or picture that a link masks. A path in a `clip-path` is a string, too. */
const refusedValue = /\\|(?:url|src|image|image-set|element)\(/i
const propertyWithString = /^(?:clipPath|offsetPath|font\w+)$/

/** Reads a report made at a time, without anything else that was sent; null if it is not valid. */
export function readAnimations(given: Record<string, unknown>, timestamp: number): AnimationChanges | null {
  const { list, ended = [] } = given
  if (!Array.isArray(list) || !Array.isArray(ended)) return null
  if (list.length > animationsMax || ended.length > animationsMax || !ended.every(Number.isSafeInteger))
    return null
  return {
    list: list.flatMap((one) => readAnimation(one, timestamp) ?? []),
    ended,
    isAll: given['isAll'] === true,
  }
}

function readAnimation(given: unknown, timestamp: number): ScriptAnimation | null {
  if (!isObject(given)) return null
  const { id, node, keyframes, timing, time, rate, at } = given
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(node) || !isObject(timing)) return null
  if (!Array.isArray(keyframes) || keyframes.length > keyframesMax) return null
  return {
    id: Number(id),
    node: Number(node),
    keyframes: keyframes.filter(isObject).map(readKeyframe),
    timing: readTiming(timing),
    time: finite(time, 0),
    rate: finite(rate, 0),
    at: finite(at, timestamp),
  }
}

function readKeyframe(given: Record<string, unknown>): Record<string, string | number | null> {
  const entries = Object.entries(given).slice(0, propertiesMax)
  const offset = given['offset']
  const declared = entries.filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isAllowed(entry[0], entry[1]),
  )
  return { ...Object.fromEntries(declared), offset: typeof offset === 'number' ? offset : null }
}

function isAllowed(name: string, value: string): boolean {
  if (!propertyName.test(name) || value.length > valueLengthMax || refusedValue.test(value)) return false
  return propertyWithString.test(name) || !/["']/.test(value)
}

function readTiming(given: Record<string, unknown>): ScriptAnimation['timing'] {
  const { easing, pseudoElement, iterations } = given
  const among = <Name extends string>(names: readonly Name[], value: unknown) =>
    names.find((name) => name === value)
  const isPseudo = typeof pseudoElement === 'string' && /^::?[a-z-]{1,40}$/i.test(pseudoElement)
  return {
    delay: finite(given['delay'], 0),
    endDelay: finite(given['endDelay'], 0),
    duration: Math.max(0, finite(given['duration'], 0)),
    // JSON has no infinity.
    iterations:
      iterations === null || iterations === Infinity ? Infinity : Math.max(0, finite(iterations, 1)),
    iterationStart: Math.max(0, finite(given['iterationStart'], 0)),
    easing: typeof easing === 'string' && easing.length <= valueLengthMax ? easing : 'linear',
    fill: among(fills, given['fill']) ?? 'none',
    direction: among(directions, given['direction']) ?? 'normal',
    composite: among(composites, given['composite']) ?? 'replace',
    pseudoElement: isPseudo ? pseudoElement : null,
  }
}

function finite(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

/** Returns the animations after a report, oldest first, without those that no longer have an effect. */
export function animationsAfter(
  before: readonly ScriptAnimation[],
  { list, ended, isAll }: AnimationChanges,
  timestamp: number,
): ScriptAnimation[] {
  const known = new Map((isAll ? [] : before).map((animation) => [animation.id, animation]))
  for (const id of ended) known.delete(id)
  for (const animation of list) known.set(animation.id, animation)
  return [...known.values()].filter((animation) => !isOver(animation, timestamp)).slice(-animationsMax)
}

/** Returns an animation's own time at a time since the epoch. */
export function timeWithin({ time, rate, at }: ScriptAnimation, now: number): number {
  return time + (now - at) * rate
}

function isOver(animation: ScriptAnimation, now: number): boolean {
  const { delay = 0, duration, iterations, endDelay = 0, fill } = animation.timing
  const length = duration === 0 ? 0 : duration * iterations
  const remains = fill === 'forwards' || fill === 'both'
  return !remains && timeWithin(animation, now) >= Number(delay) + length + endDelay
}
