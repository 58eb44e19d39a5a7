import { memo, useState, useEffect, type ReactNode } from 'react'
import { useFormContext, useWatch, Controller } from 'react-hook-form'
import type { Model } from '../../../contract/exports/batch-export.ts'
import { models } from '../../../contract/exports/export-rules.ts'
import { ChoiceCards } from '../../ui/controls/choice-cards.tsx'
import { CheckboxField, TextareaField, TextField } from '../../ui/controls/field.tsx'
import { exportFields, type ExportField, type ExportValues } from '../values/export-values.ts'
import { foldedInWords, isPreset, presets, type Preset } from '../values/presets.ts'
import { PreviewPanel } from '../query/preview-panel.tsx'
import { QueryEditor } from '../query/query-editor.tsx'
import { Section } from './section.tsx'
import { useCheckedField, useField, useFieldError } from './use-field.ts'
import { usePreview } from '../query/use-preview.ts'
import { toast } from '../../ui/feedback/toasts.ts'
import { exportNoteLengthMax } from '../../../contract/exports/export-labels.ts'
import { TagsField, useSuggestions } from '../labels/tags-field.tsx'

const modelHints: Record<Model, string> = {
  events: 'One row per event.',
  persons: 'One row per person and distinct id that changed.',
  recordings: 'One row per recording, five minutes after its last data.',
}

/**
 * Fields for the content of the export: name, model, columns and events. Parts that depend on more than the model watch it
 * themselves, so that typing renders little.
 */
export function WhatSection() {
  const { control, getValues } = useFormContext<ExportValues>()
  const field = useField()
  const checked = useCheckedField()
  const model = useWatch({ control, name: 'model' })
  const [opened] = useState(() => {
    const { hogql_query, destination } = getValues()
    const { include_events, exclude_events, include_blocks } = destination.config
    return include_blocks || [hogql_query, include_events, exclude_events].some((text) => text !== '')
  })
  return (
    <Section step={1} title="What" aside={<PreviewPanel />}>
      <TextField
        label="Name"
        autoComplete="off"
        hint="What the export contains, and for whom."
        {...checked('name')}
      />
      <ChoiceCards
        legend="Model"
        value={model}
        choices={models.map((name) => ({ value: name, title: name, hint: modelHints[name] }))}
        {...field('model')}
      />
      <PresetButtons />
      <Folded
        title="Columns and filters"
        says={<FoldedInWords />}
        fields={[
          'hogql_query',
          'destination.config.include_events',
          'destination.config.exclude_events',
          'destination.config.include_blocks',
        ]}
        opened={opened}
      >
        <QueryField model={model} />
        <Filters model={model} />
      </Folded>
      <LabelFields />
    </Section>
  )
}

/** Says which columns and rows the folded fields choose. */
function FoldedInWords() {
  const { control } = useFormContext<ExportValues>()
  const [model, hogql_query, config] = useWatch({
    control,
    name: ['model', 'hogql_query', 'destination.config'],
  })
  return foldedInWords({ model, hogql_query, config }, config.include_blocks)
}

function QueryField({ model }: { model: Model }) {
  const { control } = useFormContext<ExportValues>()
  const query = useWatch({ control, name: 'hogql_query' })
  const { error: issue, ...field } = useField()('hogql_query')
  const { queryProblem } = usePreview()
  return (
    <QueryEditor
      field={field}
      query={query}
      model={model}
      problem={queryProblem ?? (issue ? { message: issue, position: null } : null)}
    />
  )
}

/** Fields for what of the model is exported. */
function Filters({ model }: { model: Model }) {
  const { register } = useFormContext<ExportValues>()
  const field = useField()
  if (model === 'recordings')
    return (
      <CheckboxField
        label="Include recording files"
        hint="Each run also writes one file per recording, which “Import a recording” accepts."
        {...register('destination.config.include_blocks')}
      />
    )
  if (model === 'persons') return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextareaField
        label="Only these events"
        optional
        placeholder="$pageview"
        hint="One per line; leave empty for all."
        {...field('destination.config.include_events')}
      />
      <TextareaField
        label="Exclude events"
        optional
        placeholder="$autocapture"
        hint="One per line."
        {...field('destination.config.exclude_events')}
      />
    </div>
  )
}

const fields = [
  'hogql_query',
  'destination.config.include_events',
  'destination.config.exclude_events',
] as const

/** Fills columns and filters with a common choice; what was typed before can be restored. */
function PresetButtons() {
  const { control, getValues, setValue } = useFormContext<ExportValues>()
  const [model, hogql_query, config] = useWatch({
    control,
    name: ['model', 'hogql_query', 'destination.config'],
  })
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

/** Fields for the labels of the export: tags, owner and note. */
const LabelFields = memo(function LabelFields() {
  const { control, getValues } = useFormContext<ExportValues>()
  const field = useField()
  const suggestions = useSuggestions()
  const checked = useCheckedField()
  const [tags, owner, note] = useWatch({ control, name: ['tags', 'owner', 'note'] })
  const given = [...tags, owner, note === '' ? '' : 'a note'].filter((text) => text !== '')
  const [opened] = useState(() => getValues(['tags', 'owner', 'note']).some((value) => value.length > 0))
  return (
    <Folded
      title="Tags, owner and note"
      says={given.length === 0 ? 'none' : given.join(', ')}
      fields={['tags', 'owner', 'note']}
      opened={opened}
    >
      <Controller
        control={control}
        name="tags"
        render={({ field: { value, onChange, ref }, fieldState }) => (
          <TagsField
            ref={ref}
            tags={value}
            onTags={onChange}
            suggestions={suggestions.tags}
            error={fieldState.error?.message}
          />
        )}
      />
      <TextField
        label="Owner"
        optional
        autoComplete="off"
        suggestions={suggestions.owners}
        hint="Contact for this export: a person or a team."
        {...checked('owner')}
      />
      <TextareaField
        label="Note"
        optional
        maxLength={exportNoteLengthMax}
        hint="What others should know, such as who reads the files."
        {...field('note')}
      />
    </Folded>
  )
})

type FoldedProps = {
  title: string
  /** What the fields contain, shown beside the title. */
  says: ReactNode
  /** The fields inside. */
  fields: readonly ExportField[]
  /** Whether they are shown at first. */
  opened: boolean
  children: ReactNode
}

/** Fields that are folded away until they are needed, or one of them needs correction. */
function Folded({ title, says, fields, opened, children }: FoldedProps) {
  const { setFocus } = useFormContext<ExportValues>()
  const errorOf = useFieldError()
  const [isOpen, setOpen] = useState(opened)
  const first = exportFields.find(errorOf)
  const unfolds = !isOpen && fields.some(errorOf)
  useEffect(() => {
    // The form could not focus a field that was folded away.
    if (unfolds && first) setFocus(first)
  }, [unfolds, first, setFocus])
  return (
    <details
      open={isOpen || unfolds}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="isolate rounded-md border border-line"
    >
      <summary className="rounded-md px-3 py-2 hover:bg-hover">
        <span className="font-medium">{title}</span> <span className="text-ink-2">{says}</span>
      </summary>
      <div className="flex flex-col gap-4 px-3 pt-1 pb-3">{children}</div>
    </details>
  )
}
