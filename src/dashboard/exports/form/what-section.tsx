import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import type { Model } from '../../../contract/exports/batch-export.ts'
import { models } from '../../../contract/exports/export-rules.ts'
import { ChoiceCards } from '../../ui/controls/choice-cards.tsx'
import { CheckboxField, TextareaField, TextField } from '../../ui/controls/field.tsx'
import type { ExportValues } from '../values/export-values.ts'
import { Folded } from './folded.tsx'
import { LabelFields } from './label-fields.tsx'
import { PresetButtons } from './preset-buttons.tsx'
import { foldedInWords } from '../values/presets.ts'
import { PreviewPanel } from '../query/preview-panel.tsx'
import { QueryEditor } from '../query/query-editor.tsx'
import { Section } from './section.tsx'
import { useCheckedField } from './use-checked-field.ts'
import { usePreview } from '../query/use-preview.ts'

const modelHints: Record<Model, string> = {
  events: 'One row per event.',
  persons: 'One row per person and distinct id that changed.',
  recordings: 'One row per recording, five minutes after its last data.',
}

/** Fields for the content of the export: name, model, columns and events. */
export function WhatSection() {
  const { register, watch, getValues, formState } = useFormContext<ExportValues>()
  const { errors } = formState
  const checked = useCheckedField()
  const preview = usePreview()
  const [model, query, config] = watch(['model', 'hogql_query', 'destination.config'])
  const [opened] = useState(() => {
    const { hogql_query, destination } = getValues()
    const { include_events, exclude_events, include_blocks } = destination.config
    return include_blocks || [hogql_query, include_events, exclude_events].some((text) => text !== '')
  })
  const issue = errors.hogql_query?.message
  return (
    <Section step={1} title="What" aside={<PreviewPanel preview={preview} />}>
      <TextField
        label="Name"
        autoComplete="off"
        hint="What the export contains, and for whom."
        {...checked('name')}
      />
      <ChoiceCards
        legend="Model"
        value={model}
        error={errors.model?.message}
        choices={models.map((name) => ({ value: name, title: name, hint: modelHints[name] }))}
        {...register('model')}
      />
      <PresetButtons />
      <Folded
        title="Columns and filters"
        says={foldedInWords({ model, hogql_query: query, config }, config.include_blocks)}
        fields={[
          'hogql_query',
          'destination.config.include_events',
          'destination.config.exclude_events',
          'destination.config.include_blocks',
        ]}
        opened={opened}
      >
        <QueryEditor
          field={register('hogql_query')}
          query={query}
          model={model}
          problem={preview.queryProblem ?? (issue ? { message: issue, position: null } : null)}
        />
        <Filters model={model} />
      </Folded>
      <LabelFields />
    </Section>
  )
}

/** Fields for what of the model is exported. */
function Filters({ model }: { model: Model }) {
  const { register, formState } = useFormContext<ExportValues>()
  const errors = formState.errors.destination?.config
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
        error={errors?.include_events?.message}
        {...register('destination.config.include_events')}
      />
      <TextareaField
        label="Exclude events"
        optional
        placeholder="$autocapture"
        hint="One per line."
        error={errors?.exclude_events?.message}
        {...register('destination.config.exclude_events')}
      />
    </div>
  )
}
