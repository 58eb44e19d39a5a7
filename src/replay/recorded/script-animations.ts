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
  if (![node, time, rate, at].every(Number.isFinite) || !isObject(timing)) return []
  const read = objectsIn(keyframes).slice(0, countMax).map(readValues)
  // JSON has no infinity.
  const options = readValues({ ...timing, iterations: timing['iterations'] ?? Infinity })
  return [{ node, keyframes: read, timing: options, time, rate, at } as ScriptAnimation]
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
