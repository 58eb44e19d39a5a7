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
/** Largest number of values in a report, and of characters of these as JSON. */
const valuesMax = 5_000
const lengthMax = 200_000
/** Largest number of an animation, with which all positions are finite. */
const numberMax = 1e15
const timingNames =
  'delay duration endDelay iterations iterationStart direction easing fill composite pseudoElement'.split(' ')
/** Values that could fetch a file, or show a text or picture that a link masks. A path in a `clip-path` is a string, too. */
const refusedValue = /\\|(?:url|src|image|image-set|element)\(/i
const nameOfString = /^(?:clipPath|offsetPath|font\w+)$/

/** Reads a report made at a time, without anything else that was sent. */
export function readAnimations({ list }: Given, timestamp: number): { list: ScriptAnimation[] } {
  const read: ScriptAnimation[] = []
  let [values, length] = [0, 0]
  for (const given of objectsIn(list).slice(-countMax).toReversed()) {
    const one = readAnimation(given, timestamp)
    if (!one) continue
    values += one.keyframes.flatMap(Object.keys).length
    length += JSON.stringify(one).length
    if (values > valuesMax || length > lengthMax) break
    read.unshift(one)
  }
  return { list: read }
}

function readAnimation(given: Given, timestamp: number): ScriptAnimation | null {
  const { node, keyframes, timing, time, rate, at = timestamp } = given
  const isValid = [node, time, rate, at].every((one) => typeof one === 'number' && Math.abs(one) <= numberMax)
  if (!isValid || !isObject(timing)) return null
  const read = objectsIn(keyframes).slice(0, countMax).map(readValues)
  const options = Object.fromEntries(timingNames.map((name) => [name, timing[name]]))
  // JSON has no infinity.
  options['iterations'] ??= Infinity
  return { node, keyframes: read, timing: readValues(options), time, rate, at } as ScriptAnimation
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
