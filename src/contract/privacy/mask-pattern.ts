/**
 * Limits of a pattern. A text that almost matches costs as many attempts at each place as there are ways to match, each as long as
 * the longest match.
 */
const waysMax = 1000
const lengthMax = 1000

const unlimited = 'Give each repetition an end, such as {1,40} instead of + or *.'
const tooMany = 'This pattern can match in too many ways: repeat less, or fewer parts.'

type Cost = { ways: number; length: number }

/** Why a pattern is refused, for the person who entered it. */
class PatternProblem extends Error {}

/** Returns why texts cannot be masked with a regular expression; null if they can, in a time that is proportional to their length. */
export function patternProblem(pattern: string): string | null {
  try {
    if (new RegExp(pattern).test('')) return 'This pattern also matches an empty text.'
    const { ways, length } = new PatternReader(pattern).alternatives()
    return ways > waysMax || length > lengthMax ? tooMany : null
  } catch (error) {
    return error instanceof PatternProblem ? error.message : 'This is not a regular expression.'
  }
}

/** Reads a valid regular expression, to find what matching it costs. */
class PatternReader {
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  alternatives(): Cost {
    let { ways, length } = this.#sequence()
    while (this.#take(/\|/y)) {
      const other = this.#sequence()
      ways += other.ways
      length = Math.max(length, other.length)
    }
    return { ways, length }
  }

  #sequence(): Cost {
    const cost = { ways: 1, length: 0 }
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) {
      const next = this.#repeated()
      cost.ways *= next.ways
      cost.length += next.length
    }
    return cost
  }

  #repeated(): Cost {
    const { ways, length } = this.#atom()
    const found = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)
    if (!found) return { ways, length }
    const [, sign, least = '0', comma = ',', most = sign === '?' ? '1' : ''] = found
    const [min, max] = [Number(least), comma === '' ? Number(least) : Number(most || Infinity)]
    if (max === Infinity) throw new PatternProblem(unlimited)
    if (max > lengthMax) throw new PatternProblem(tooMany)
    let sum = 0
    for (let count = min; count <= max; count += 1) sum += ways ** count
    return { ways: sum, length: length * max }
  }

  #atom(): Cost {
    if (this.#take(/\((?:\?:|\?<\w+>)?(?!\?)/y)) {
      const inner = this.alternatives()
      this.#take(/\)/y)
      return inner
    }
    if (this.#take(/\(|\\[1-9k]/y))
      throw new PatternProblem('Look-arounds and references back cannot be used.')
    // A class, an escape, or any other character.
    if (!this.#take(/\[(?:[^\]\\]|\\[^])*\]|\\[^]|[^]/y)) throw new Error('the pattern has ended')
    return { ways: 1, length: 1 }
  }

  #take(expected: RegExp): RegExpExecArray | null {
    expected.lastIndex = this.#at
    const found = expected.exec(this.#pattern)
    if (found) this.#at = expected.lastIndex
    return found
  }
}
