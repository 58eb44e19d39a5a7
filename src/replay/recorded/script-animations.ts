import { isObject, objectsIn } from './rrweb.ts'

type Given = Record<string, unknown>
type Values = Record<string, string | number>

/** An animation that a script started. Times are in milliseconds. */
export type ScriptAnimation = {
  /** Id of the animated element. */
  node: number
  keyframes: Values[]
  timing: Values
  /** The animation's own time at `at` (since the epoch), and how fast it passes; the rate is 0 while it is paused or over. */
  time: number
  rate: number
  at: number
}

/** Largest number of animations, of keyframes, and of values in a keyframe. */
const countMax = 100
const valueLengthMax = 1_000
/** Limits of times and rates, within which all positions are finite. */
const timeMax = 1e15
const rateMax = 1e4
const timingNames =
  'delay duration endDelay iterations iterationStart direction easing fill composite pseudoElement'.split(' ')
/** Values that could fetch a file, or show a text or picture that a link masks. A path in a `clip-path` is a string, too. */
const refusedValue = /\\|(?:url|src|image|image-set|element)\(/i
const nameOfString = /^(?:clipPath|offsetPath|font\w+)$/

/** Reads a report made at a time, without anything else that was sent. */
export function readAnimations({ list }: Given, timestamp: number): { list: ScriptAnimation[] } {
  return {
    list: objectsIn(list)
      .slice(-countMax)
      .flatMap((one) => readAnimation(one, timestamp)),
  }
}

function readAnimation(given: Given, timestamp: number): ScriptAnimation[] {
  const { node, keyframes, timing, time, rate, at = timestamp } = given
  const isValid = isNumber(node) && isNumber(time) && isNumber(at) && isNumber(rate, rateMax)
  if (!isValid || !isObject(timing)) return []
  const read = objectsIn(keyframes).slice(0, countMax).map(readValues)
  const options = Object.fromEntries(timingNames.map((name) => [name, timing[name]]))
  // JSON has no infinity.
  options['iterations'] ??= Infinity
  return [{ node, keyframes: read, timing: readValues(options), time, rate, at }]
}

function isNumber(value: unknown, max = timeMax): value is number {
  return typeof value === 'number' && Math.abs(value) <= max
}

/** Reads the values that a browser may be given: it refuses those that it does not know. */
function readValues(given: Given): Values {
  return Object.fromEntries(Object.entries(given).slice(0, countMax).filter(isAllowed)) as Values
}

function isAllowed([name, value]: [string, unknown]): boolean {
  if (typeof value !== 'string') return typeof value === 'number'
  if (value.length > valueLengthMax || refusedValue.test(value)) return false
  return nameOfString.test(name) || !/["']/.test(value)
}
