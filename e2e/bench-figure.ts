/** A promise and what was measured of it: at most the bound, or at least. */
export type Figure = { what: string; measured: number; bound: number; unit: string; atLeast?: boolean }
