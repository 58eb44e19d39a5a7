import { stepWeight } from './path-vector.ts'

/** How two ways compare. */
export type PathComparison = {
  /** 0 when they are the same, 1 when they share no step. */
  distance: number
  /** The steps of both, in order. */
  shared: string[]
  /** The first step at which they part, null where one ends before; as a whole null when they never part. */
  parts: { here: string | null; there: string | null } | null
}

/** Compares by the heaviest sequence of steps that both ways hold in order. */
export function compareWays(here: readonly string[], there: readonly string[]): PathComparison {
  const shared = commonSteps(here, there)
  const all = weightOf(here) + weightOf(there)
  const distance = all === 0 ? 1 : Math.min(Math.max(1 - (2 * weightOf(shared)) / all, 0), 1)
  const fork = here.findIndex((step, index) => step !== there[index])
  const at = fork === -1 ? here.length : fork
  const isSame = here.length === there.length && fork === -1
  return {
    distance: Math.round(distance * 1000) / 1000,
    shared,
    parts: isSame ? null : { here: here[at] ?? null, there: there[at] ?? null },
  }
}

function weightOf(steps: readonly string[]): number {
  return steps.reduce((sum, step) => sum + stepWeight(step), 0)
}

/** The heaviest common subsequence, by the usual table. */
function commonSteps(here: readonly string[], there: readonly string[]): string[] {
  const width = there.length + 1
  const best = new Float64Array((here.length + 1) * width)
  const at = (row: number, column: number) => best[row * width + column] ?? 0
  for (let row = here.length - 1; row >= 0; row -= 1) {
    const step = here[row] ?? ''
    for (let column = there.length - 1; column >= 0; column -= 1) {
      best[row * width + column] =
        step === there[column]
          ? at(row + 1, column + 1) + stepWeight(step)
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const common: string[] = []
  for (let row = 0, column = 0; row < here.length && column < there.length;) {
    const step = here[row]
    if (step !== undefined && step === there[column]) {
      common.push(step)
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  }
  return common
}
