import { useFormContext } from 'react-hook-form'
import { toast } from '../../ui/feedback/toasts.ts'
import type { ExportValues } from '../values/export-values.ts'
import { isPreset, presets, type Preset } from '../values/presets.ts'

const fields = [
  'hogql_query',
  'destination.config.include_events',
  'destination.config.exclude_events',
] as const

/** Fills columns and filters with a common choice; what was typed before can be restored. */
export function PresetButtons() {
  const { watch, getValues, setValue } = useFormContext<ExportValues>()
  const [model, hogql_query, config] = watch(['model', 'hogql_query', 'destination.config'])
  const options = presets[model]
  const fill = (values: readonly string[]) => {
    for (const [index, name] of fields.entries())
      setValue(name, values[index] ?? '', { shouldDirty: true, shouldValidate: false })
  }
  const choose = (preset: Preset) => {
    const before = getValues(fields)
    fill([preset.query, preset.include, preset.exclude])
    const wasTyped = !options.some((option) => isPreset(option, { model, hogql_query, config }))
    if (wasTyped) toast('Replaced your columns and filters.', { undo: () => fill(before) })
  }
  return (
    <fieldset aria-label="Presets" className="flex flex-wrap items-center gap-1.5">
      {options.map((preset) => (
        <button
          key={preset.label}
          type="button"
          aria-pressed={isPreset(preset, { model, hogql_query, config })}
          onClick={() => choose(preset)}
          className="h-7 rounded-full border border-line-strong px-3 text-xs hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:font-medium"
        >
          {preset.label}
        </button>
      ))}
    </fieldset>
  )
}
