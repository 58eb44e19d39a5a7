import { useFormContext } from 'react-hook-form'
import { models, type Model } from '../../../contract/batch-export.ts'
import { CheckboxField, SelectField, TextareaField, TextField } from '../../ui/field.tsx'
import type { ExportValues } from './export-values.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { QueryEditor } from './query-editor.tsx'
import { Section } from './section.tsx'
import { useCheckedField } from './use-checked-field.ts'
import { usePreview } from './use-preview.ts'

const modelHints: Record<Model, string> = {
  events: 'One row per event.',
  persons: 'One row per person and distinct id that changed in the interval.',
  recordings:
    'One row per recorded session, five minutes after its last data, and another when it continues.',
}

/** Fields for the content of the export: name, model, columns and events. */
export function WhatSection() {
  const { register, watch, formState } = useFormContext<ExportValues>()
  const { errors } = formState
  const checked = useCheckedField()
  const preview = usePreview()
  const [model, query] = watch(['model', 'hogql_query'])
  const issue = errors.hogql_query?.message
  return (
    <Section title="What" aside={<PreviewPanel preview={preview} />}>
      <TextField
        label="Name"
        autoComplete="off"
        hint="What the export contains, and for whom."
        {...checked('name')}
      />
      <SelectField
        label="Model"
        hint={modelHints[model]}
        error={errors.model?.message}
        {...register('model')}
      >
        {models.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </SelectField>
      <QueryEditor
        field={register('hogql_query')}
        query={query}
        model={model}
        problem={preview.queryProblem ?? (issue ? { message: issue, position: null } : null)}
      />
      {model === 'events' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextareaField
            label="Only these events"
            optional
            placeholder="$pageview"
            hint="One per line; leave empty for all."
            error={errors.destination?.config?.include_events?.message}
            {...register('destination.config.include_events')}
          />
          <TextareaField
            label="All but these events"
            optional
            placeholder="$autocapture"
            hint="One per line."
            error={errors.destination?.config?.exclude_events?.message}
            {...register('destination.config.exclude_events')}
          />
        </div>
      )}
      {model === 'recordings' && (
        <CheckboxField
          label="Include recording files"
          hint="Each run also writes one file per session, which “Import a recording” accepts."
          {...register('destination.config.include_blocks')}
        />
      )}
    </Section>
  )
}
