import { z } from 'zod'
import { DestinationTestInput } from '../destinations/destination-test.ts'
import { Model } from './batch-export.ts'
import { PreviewInput } from './preview.ts'

/** The destination as in a test of its connection, and what selects the rows. */
export const TablePlanInput = DestinationTestInput.extend({
  model: Model.optional(),
  hogql_query: PreviewInput.shape.hogql_query,
})

/** A column of the export, in its order, and where its values go. */
export const PlannedColumn = z.object({
  name: z.string(),
  /** The type of the values, as in the preview of rows; that of a hash is String. */
  type: z.string(),
  /** Name in the table; null if the column is left out. */
  target: z.string().nullable(),
  hashed: z.boolean(),
  /** Type in the table, or in the one to create; null if the table lacks the column, or it is left out. */
  type_there: z.string().nullable(),
  /** Why its values cannot be stored there; null if they can. */
  clash: z.string().nullable(),
  /** The first characters of a value; null without a value. */
  sample: z.string().nullable(),
})
export type PlannedColumn = z.infer<typeof PlannedColumn>

export const TablePlan = z.object({
  /** null if the database could not be asked. */
  plan: z
    .object({
      /** The table's name, quoted as its database does. */
      table: z.string(),
      exists: z.boolean(),
      /** Statements that create the table. */
      ddl: z.string(),
      /** Whether windows can be told apart, so that a repeated one replaces its rows. */
      has_windows: z.boolean(),
      columns: z.array(PlannedColumn),
      /** Columns of the table that exports do not fill. */
      unfilled: z.array(z.object({ name: z.string(), type: z.string() })),
    })
    .nullable(),
  /** Why the database could not be asked, and what to do, as in a test of the connection; null if it could. */
  problem: z.object({ detail: z.string(), remedy: z.string().nullable() }).nullable(),
})
export type TablePlan = z.infer<typeof TablePlan>
