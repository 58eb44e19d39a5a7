/** A measurement and its bound: an upper bound, or a lower one with `atLeast`. */
export type Figure = {
  name: string
  measured: number
  bound: number
  unit: string
  atLeast?: boolean
  /** The same with a hundredth of the data, which shows how it grows. */
  hundredth?: number | undefined
  /** What explains the measurement, such as its slowest parts. */
  note?: string
}

/** Returns the median; of an even number, the smaller of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the smallest measurement that at least `share` (0 to 1) of all do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? NaN
}

/** Whether a figure is within its bound. */
export function holds({ measured, bound, atLeast = false }: Figure): boolean {
  return atLeast ? measured >= bound : measured <= bound
}
