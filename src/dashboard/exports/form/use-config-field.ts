import { useFormContext } from 'react-hook-form'
import type { ConfigValues, ExportValues } from '../values/export-values.ts'

/** Returns a function that connects a field to a key of the destination's configuration, with its error. */
export function useConfigField() {
  const { register, formState } = useFormContext<ExportValues>()
  const errors = formState.errors.destination?.config
  return (name: keyof ConfigValues) => ({
    ...register(`destination.config.${name}`),
    error: errors?.[name]?.message,
  })
}

/** Lists the variables in a bucket's prefix and in a folder's path. */
export const prefixHint =
  '{year}, {month}, {day}, {hour}, {minute} and {second} of the window’s end in UTC, {data_interval_start}, {data_interval_end} and {table} are filled in.'

/** Explains why a copy's prefix or path differs from its original's. */
export function copyHint(original: string): string {
  return `The original writes to ${original === '' ? 'the top of its bucket' : original}; a copy needs its own place, or it would overwrite those files. `
}
