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

/** Returns the middle of measurements; of an even number, the larger of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the measurement that `share` of the others are below. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? NaN
}

/** Whether a figure is within its bound. */
export function holds({ measured, bound, atLeast = false }: Figure): boolean {
  return atLeast ? measured >= bound : measured <= bound
}
