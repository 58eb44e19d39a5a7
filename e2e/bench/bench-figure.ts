/** A measurement and its bound: an upper bound, or a lower one with `atLeast`. */
export type Figure = { name: string; measured: number; bound: number; unit: string; atLeast?: boolean }

/** Whether a figure is within its bound. */
export function holds({ measured, bound, atLeast = false }: Figure): boolean {
  return atLeast ? measured >= bound : measured <= bound
}
