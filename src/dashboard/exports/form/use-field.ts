import { useState } from 'react'
import { get, useFormContext, type FieldError, type RegisterOptions } from 'react-hook-form'
import { valueIssues } from '../../../contract/destinations/value-issues.ts'
import { nextPaint } from '../../ui/controls/next-paint.ts'
import { exportFields, type ExportField, configOf, type ExportValues } from '../values/export-values.ts'

type FieldOf<Field> = Field extends `destination.config.${infer Name}` ? Name : never
/** A field of the destination's config. */
type ConfigField = FieldOf<ExportField>

/**
 * Returns a function that returns a field's error. The form's own `getFieldState` would render the whole form again whenever a
 * field is visited, or changed for the first time.
 */
export function useFieldError() {
  const { errors } = useFormContext<ExportValues>().formState
  return (name: ExportField): FieldError | undefined => get(errors, name)
}

/** Returns a function that connects a field to the form, with its error. */
export function useField() {
  const { register } = useFormContext<ExportValues>()
  const errorOf = useFieldError()
  return (name: ExportField, options?: RegisterOptions<ExportValues, ExportField>) => ({
    ...register(name, options),
    error: errorOf(name)?.message,
  })
}

/**
 * Returns a function that connects a text field and validates its text when the field loses focus. An empty field is
 * reported only when the form is saved; a field with an error is validated again on every change.
 */
export function useCheckedField() {
  const { trigger, getValues } = useFormContext<ExportValues>()
  const field = useField()
  const errorOf = useFieldError()
  const invalid = () => exportFields.filter(errorOf)
  return (name: ExportField, { onChange, onBlur }: { onChange?: () => void; onBlur?: () => void } = {}) =>
    field(name, {
      onChange: () => {
        onChange?.()
        const fields = invalid()
        if (fields.length > 0) void trigger(fields)
      },
      onBlur: () => {
        onBlur?.()
        // Validating takes longer than a frame.
        if (getValues(name) !== '') void nextPaint().then(() => trigger([name, ...invalid()]))
      },
    })
}

/** Like `useCheckedField`, for a key of the destination's configuration, with a warning about an unusual value. */
export function useCheckedConfigField() {
  const { getValues } = useFormContext<ExportValues>()
  const checked = useCheckedField()
  const [atBlur, setAtBlur] = useState(() => getValues('destination'))
  const warnings = valueIssues(atBlur.type, configOf(atBlur.type, atBlur.config, null)).filter(
    ({ severity }) => severity === 'warning',
  )
  return (name: ConfigField, onChange?: () => void) => ({
    ...checked(`destination.config.${name}`, {
      ...(onChange ? { onChange } : {}),
      onBlur: () => setAtBlur(getValues('destination')),
    }),
    warning: warnings.find(({ field }) => field === name)?.message,
  })
}

/** Lists the variables in a bucket's prefix and in a folder's path. */
export const prefixHint =
  '{year}, {month}, {day}, {hour}, {minute} and {second} of the window’s end in UTC, {data_interval_start}, {data_interval_end} and {table} are filled in.'

/** Explains why a copy's prefix or path differs from its original's. */
export function copyHint(original: string): string {
  return `The original writes to ${original === '' ? 'the top of its bucket' : original}; a copy needs its own place, or it would overwrite those files. `
}
