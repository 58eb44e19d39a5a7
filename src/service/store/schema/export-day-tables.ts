/** The windows of an export that start on a day; `day` counts days since 1970-01-01 UTC. */
export type ExportDaysTable = {
  batch_export_id: string
  day: number
  /** See `encodeStates`. */
  states: string
  /** When the next of the windows ends; null once all have ended. */
  valid_until: Date | null
  /** Start of the export's lifetime when the states were computed. */
  begins: Date
}

/** How many windows a repair plan without a period would repair. */
export type ExportsToRepairTable = { batch_export_id: string; windows: number }

/** The functions that write runs, schedules and the ledger add a row when the states of an export's windows on these days (both included) may have changed. */
export type ExportDayChangesTable = { batch_export_id: string; from_day: number; until_day: number }
