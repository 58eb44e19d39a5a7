import { stepWeight } from './path-vector.ts'

/** The comparison of two paths. */
export type PathComparison = {
  /** 0 for equal paths, 1 for paths without a shared step. */
  distance: number
  /** Steps that both paths contain in order. */
  shared: string[]
  /** First steps that differ, null for a path that has ended; null as a whole for equal paths. */
  parts: { here: string | null; there: string | null } | null
}

/** Compares two paths by their heaviest common subsequence of steps. */
export function comparePaths(here: readonly string[], there: readonly string[]): PathComparison {
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

/** Finds the heaviest common subsequence by dynamic programming. */
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
