import type { z } from 'zod'
import { formatInstant } from '../../contract/instant.ts'

/** The values of an object before it is shown: its times may be dates. */
type Unshown<Values> = { [Key in keyof Values]: TimeOr<Values[Key]> }
type TimeOr<Value> = Value extends unknown ? (string extends Value ? Value | Date : Value) : never

/** Returns those of the values that a schema of the contract has, with times in the format of the API. */
export function shownAs<Schema extends z.ZodObject>(
  schema: Schema,
  values: Unshown<z.output<Schema>>,
): z.output<Schema> {
  const given: Record<string, unknown> = values
  const shown: Record<string, unknown> = {}
  for (const key of Object.keys(schema.shape)) {
    const value = given[key]
    if (value !== undefined) shown[key] = value instanceof Date ? formatInstant(value) : value
  }
  return shown as z.output<Schema>
}
