import type { Steps, Trial } from './destination-driver.ts'
import type { TableStore } from './table-store.ts'

type TrialTable = {
  /** Name of the destination's table. */
  table: string
  open(): Promise<TableStore>
  /** Runs a statement as an export does. */
  execute(sql: string): Promise<unknown>
  /** Name of the trial table as statements have it, and what follows it in the one that creates it. */
  trialTable: string
  definition: string
}

/** Returns the steps that look at the destination's table, and that write to a trial table beside it and remove that. */
export function tableSteps(
  trial: Trial,
  { table, open, execute, trialTable, definition }: TrialTable,
): Required<Pick<Steps, 'Table' | 'Write' | 'Remove'>> {
  return {
    async Table() {
      const plan = await (await open()).plan([], null)
      if (!plan.exists) return `The first run creates the table "${table}".`
      return plan.hasWindows
        ? `The table "${table}" exists.`
        : `The table "${table}" exists, without the column "_spool_window".`
    },
    async Write() {
      await execute(`CREATE TABLE ${trialTable} ${definition}`)
      trial.atEnd(() => execute(`DROP TABLE IF EXISTS ${trialTable}`))
      await execute(`INSERT INTO ${trialTable} SELECT 'written by a connection test'`)
      return `Wrote a row to the trial table "${trial.key}".`
    },
    async Remove() {
      await execute(`DROP TABLE ${trialTable}`)
      return 'Removed the trial table.'
    },
  }
}
