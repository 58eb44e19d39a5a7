/** Steps that trying a pattern at one place of a text can take: each way to match part of it is tried before it fails. */
const stepsMax = 2000

const unlimited = 'Limit each repetition, for example {1,40} instead of + or *.'
const tooMany =
  'This pattern can match in too many ways: lower the limits of repetitions, or repeat fewer parts.'

type Cost = { ways: number; steps: number }

/** Why a pattern is refused, for the person who entered it. */
class PatternProblem extends Error {}

/** Returns why texts cannot be masked with a regular expression; null if they can, in a time that is proportional to their length. */
export function patternProblem(pattern: string): string | null {
  try {
    const expression = new RegExp(pattern)
    const isQuick = new PatternReader(pattern).alternatives().steps <= stepsMax
    if (!isQuick) return tooMany
    return expression.test('') ? 'This pattern also matches an empty text.' : null
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
    const cost = this.#sequence()
    while (this.#take(/\|/y)) {
      const other = this.#sequence()
      cost.ways += other.ways
      cost.steps += other.steps
    }
    return cost
  }

  #sequence(): Cost {
    const cost = { ways: 1, steps: 1 }
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) {
      const next = this.#repeated()
      // What follows is tried after each way to match what precedes it.
      cost.steps += cost.ways * next.steps
      cost.ways *= next.ways
    }
    return cost
  }

  #repeated(): Cost {
    const { ways, steps } = this.#atom()
    const found = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)
    if (!found) return { ways, steps }
    const [, sign, least = '0', comma = ',', most = sign === '?' ? '1' : ''] = found
    const [min, max] = [Number(least), comma === '' ? Number(least) : Number(most || Infinity)]
    if (max === Infinity) throw new PatternProblem(unlimited)
    if (max > stepsMax) throw new PatternProblem(tooMany)
    const cost = { ways: 0, steps: 0 }
    for (let count = 0; count <= max; count += 1) {
      if (count < max) cost.steps += ways ** count * steps
      if (count >= min) cost.ways += ways ** count
    }
    return cost
  }

  #atom(): Cost {
    if (this.#take(/\((?:\?:|\?<\w+>)?(?!\?)/y)) {
      const inner = this.alternatives()
      this.#take(/\)/y)
      return inner
    }
    if (this.#take(/\(|\\[1-9k]/y))
      throw new PatternProblem('Lookarounds and backreferences are not supported.')
    // A class, an escape, or any other character.
    if (!this.#take(/\[(?:[^\]\\]|\\[^])*\]|\\[^]|[^]/y)) throw new Error('the pattern has ended')
    return { ways: 1, steps: 1 }
  }

  #take(expected: RegExp): RegExpExecArray | null {
    expected.lastIndex = this.#at
    const found = expected.exec(this.#pattern)
    if (found) this.#at = expected.lastIndex
    return found
  }
}
