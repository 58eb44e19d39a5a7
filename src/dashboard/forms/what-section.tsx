import { useFormContext } from 'react-hook-form'
import { models } from '../../contract/batch-export.ts'
import { SelectField, TextareaField, TextField } from '../ui/field.tsx'
import type { ExportValues } from './export-values.ts'
import { Section } from './section.tsx'

/** What is exported: a name for it, the model, its columns and which events. */
export function WhatSection() {
  const { register, watch, formState } = useFormContext<ExportValues>()
  const { errors } = formState
  const isEvents = watch('model') === 'events'
  return (
    <Section title="What">
      <TextField label="Name" autoComplete="off" error={errors.name?.message} {...register('name')} />
      <SelectField
        label="Model"
        hint={
          isEvents ? 'One row per event.' : 'One row per person and distinct id that changed in the interval.'
        }
        error={errors.model?.message}
        {...register('model')}
      >
        {models.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </SelectField>
      <TextareaField
        label="Query"
        optional
        spellCheck={false}
        placeholder={
          isEvents
            ? 'SELECT uuid, event, timestamp, properties.$browser AS browser FROM events'
            : 'SELECT distinct_id, properties FROM persons'
        }
        hint={`A HogQL SELECT from ${isEvents ? 'events' : 'persons'} chooses the columns; without one all are exported.`}
        error={errors.hogql_query?.message}
        {...register('hogql_query')}
      />
      {isEvents && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextareaField
            label="Only these events"
            optional
            placeholder="$pageview"
            hint="One name per line; empty for all."
            error={errors.destination?.config?.include_events?.message}
            {...register('destination.config.include_events')}
          />
          <TextareaField
            label="Not these events"
            optional
            hint="One name per line."
            error={errors.destination?.config?.exclude_events?.message}
            {...register('destination.config.exclude_events')}
          />
        </div>
      )}
    </Section>
  )
}
