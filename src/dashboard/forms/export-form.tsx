import { zodResolver } from '@hookform/resolvers/zod'
import { useState, type KeyboardEvent } from 'react'
import { FormProvider, useForm, type FieldPath, type UseFormReturn } from 'react-hook-form'
import type { BatchExportCreate } from '../../contract/batch-export.ts'
import type { Destination, DestinationType } from '../../contract/destination.ts'
import { ApiProblem } from '../api/problem.ts'
import { usePreferences } from '../preferences.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { exportSchema } from './export-schema.ts'
import type { ExportValues } from './export-values.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { issuesByField } from './server-issues.ts'
import { WhatSection } from './what-section.tsx'
import { WhenSection } from './when-section.tsx'
import { WhereSection } from './where-section.tsx'

type ExportFormProps = {
  values: ExportValues
  /** The destination that is being edited, null for a new export. */
  stored: Destination | null
  offered: readonly DestinationType[]
  exportsFolder: string | null
  /** The deed, as a verb. */
  action: string
  /** Where Cancel leads. */
  cancelTo: { to: '/exports' } | { to: '/exports/$id'; params: { id: string } }
  onSave: (input: BatchExportCreate) => Promise<unknown>
  /** Leads away after the form has been saved. */
  onSaved: () => void
}

/** Everything about a batch export, new or not. It survives errors: what was typed stays. */
export function ExportForm(props: ExportFormProps) {
  const { values, stored, offered, exportsFolder, action, cancelTo, onSave, onSaved } = props
  const preferences = usePreferences()
  // The fields hold times of one zone, the one in which the form was opened.
  const [zone] = useState(preferences.zone)
  const form = useForm<ExportValues, unknown, BatchExportCreate>({
    defaultValues: values,
    resolver: zodResolver(exportSchema({ zone, offered, stored })),
  })
  const { isDirty, isSubmitting, isSubmitSuccessful } = form.formState
  const { failure, save } = useSave(form, onSave, onSaved)
  const submit = form.handleSubmit(save)
  return (
    <FormProvider {...form}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to every field in it */}
      <form
        noValidate
        className="mt-4 flex max-w-160 flex-col gap-8"
        onKeyDown={submitOnEnter}
        onSubmit={(event) => void submit(event)}
      >
        {failure && <ProblemNote error={failure} />}
        <WhatSection />
        <WhereSection offered={offered} stored={stored} exportsFolder={exportsFolder} />
        <WhenSection isNew={stored === null} zone={zone} />
        <div className="flex items-center gap-2">
          <Button look="primary" type="submit" busy={isSubmitting}>
            {action} <kbd className="font-mono text-xs opacity-80">⌘↵</kbd>
          </Button>
          <ButtonLink {...cancelTo}>Cancel</ButtonLink>
        </div>
      </form>
      <LeaveGuard active={isDirty && !isSubmitting && !(isSubmitSuccessful && !failure)} />
    </FormProvider>
  )
}

type Form = UseFormReturn<ExportValues, unknown, BatchExportCreate>

/** Saves, and puts what the service refuses at its fields; what belongs to none of them is the `failure`. */
function useSave(form: Form, onSave: ExportFormProps['onSave'], onSaved: () => void) {
  const [failure, setFailure] = useState<Error | null>(null)
  const save = async (input: BatchExportCreate) => {
    setFailure(null)
    try {
      await onSave(input)
    } catch (error) {
      const failed = error instanceof Error ? error : new Error(String(error))
      const { fields, rest } = issuesByField(failed, fieldNames)
      if (fields.length === 0 || rest.length > 0) setFailure(aboutRest(failed, rest))
      for (const [index, { name, message }] of fields.entries())
        form.setError(name, { message }, { shouldFocus: index === 0 })
      return
    }
    onSaved()
  }
  return { failure, save }
}

/** Every field that the service may have something to say about. */
const fieldNames = [
  'name',
  'model',
  'hogql_query',
  'interval',
  'start_at',
  'end_at',
  'destination.type',
  'destination.config.bucket_name',
  'destination.config.region',
  'destination.config.prefix',
  'destination.config.endpoint_url',
  'destination.config.aws_access_key_id',
  'destination.config.aws_secret_access_key',
  'destination.config.encryption',
  'destination.config.kms_key_id',
  'destination.config.path',
  'destination.config.file_format',
  'destination.config.compression',
  'destination.config.max_file_size_mb',
  'destination.config.include_events',
  'destination.config.exclude_events',
] as const satisfies FieldPath<ExportValues>[]

/** The failure without what its fields already say. */
function aboutRest(error: Error, rest: readonly string[]): Error {
  if (!(error instanceof ApiProblem) || rest.length === 0) return error
  const { status, code, attr, requestId, retryAfterMs } = error
  return new ApiProblem(status, { code, attr, requestId, retryAfterMs, issues: [], detail: rest.join(' ') })
}

function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
