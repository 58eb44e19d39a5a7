import { useId, useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { exportNoteLengthMax } from '../../../contract/exports/export-labels.ts'
import { TextareaField, TextField } from '../../ui/controls/field.tsx'
import { TagsField } from '../labels/tags-field.tsx'
import { useSuggestions } from '../labels/use-suggestions.ts'
import type { ExportValues } from '../values/export-values.ts'
import { Folded } from './folded.tsx'
import { useCheckedField } from './use-checked-field.ts'

/** Fields for the labels of the export: tags, owner and note. */
export function LabelFields() {
  const { control, watch, getValues, register, formState } = useFormContext<ExportValues>()
  const { errors } = formState
  const suggestions = useSuggestions()
  const checked = useCheckedField()
  const owners = useId()
  const [tags, owner, note] = watch(['tags', 'owner', 'note'])
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
        list={owners}
        hint="Contact for this export: a person or a team."
        {...checked('owner')}
      />
      <datalist id={owners}>
        {suggestions.owners.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <TextareaField
        label="Note"
        optional
        maxLength={exportNoteLengthMax}
        hint="What others should know, such as who reads the files."
        error={errors.note?.message}
        {...register('note')}
      />
    </Folded>
  )
}
