import { useFormContext } from 'react-hook-form'
import type { ConfigValues, ExportValues } from './export-values.ts'

/** Ties a field to a key of the destination's configuration, with what is wrong with it. */
export function useConfigField() {
  const { register, formState } = useFormContext<ExportValues>()
  const errors = formState.errors.destination?.config
  return (name: keyof ConfigValues) => ({
    ...register(`destination.config.${name}`),
    error: errors?.[name]?.message,
  })
}

/** What may stand in a bucket's prefix and in a folder's path. */
export const prefixHint =
  '{year}, {month}, {day}, {hour}, {minute} and {second} of the window’s end in UTC, {data_interval_start}, {data_interval_end} and {table} are filled in.'
