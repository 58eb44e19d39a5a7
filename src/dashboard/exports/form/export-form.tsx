import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { FormProvider, useForm, type UseFormReturn } from 'react-hook-form'
import { useBlocker } from '@tanstack/react-router'
import type { Instance } from '../../../contract/instance.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { usePreferences } from '../../format/preferences.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { knownDestinations } from '../../format/destination.ts'
import { Tested, SaveBar } from './save-bar.tsx'
import { exportSchema, type ExportInput } from '../values/export-schema.ts'
import { exportFields, type ExportValues, type Origin } from '../values/export-values.ts'
import { useDestinationTest } from './use-destination-test.ts'
import { WhatSection } from './what-section.tsx'
import { WhenSection } from './when-section.tsx'
import { WhereSection } from './where-section.tsx'
import { nextPaint } from '../../ui/controls/next-paint.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ApiProblem } from '../../api/problem.ts'
import { issuesByField } from '../../ui/feedback/server-issues.ts'

type ExportFormProps = {
  values: ExportValues
  /** null for a new export that is not a copy. */
  origin: Origin | null
  instance: Instance
  /** Label of the submit button: a verb. */
  action: string
  /** Target of Cancel. */
  cancelTo: { to: '/exports' } | { to: '/exports/$id'; params: { id: string } }
  /** Saves the export and leaves the page. */
  onSave: (input: ExportInput) => Promise<void>
}

/** The form of a new or existing batch export; input survives errors. */
export function ExportForm(props: ExportFormProps) {
  const { values, origin, instance, action, cancelTo, onSave } = props
  const preferences = usePreferences()
  // The fields' times stay in the zone in which the form was opened.
  const [zone] = useState(preferences.zone)
  const context = { zone, offered: knownDestinations(instance.destinations), origin }
  const form = useForm<ExportValues, unknown, ExportInput>({
    defaultValues: values,
    resolver: zodResolver(exportSchema(context)),
  })
  const copiedField = origin?.kind === 'cloned' ? destinationKinds[origin.destination.type].folderField : null
  const { setFocus } = form
  useEffect(() => {
    if (copiedField) setFocus(`destination.config.${copiedField}`, { shouldSelect: true })
  }, [copiedField, setFocus])
  const { isDirty, isSubmitting, isSubmitSuccessful } = form.formState
  const { failure, save } = useSave(form, onSave)
  const submit = form.handleSubmit(save)
  useKeys({ 'mod+Enter': { does: action, run: () => void submit(), whileTyping: true } })
  const test = useDestinationTest(form, context)
  const testPanel = useRef<HTMLElement>(null)
  const testNow = () => {
    testPanel.current?.scrollIntoView()
    test.run()
  }
  usePaletteActions([{ id: 'form test', label: 'Test connection', run: testNow }])
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="mt-5 -mb-16 flex flex-col gap-9 [&_:is(input,select,textarea,button,summary)]:scroll-my-32 max-sm:[&_:is(input,select,textarea,button,summary)]:scroll-my-48"
        onSubmit={(event) => void submit(event)}
      >
        <WhatSection />
        <WhereSection instance={instance} origin={origin} test={test} testRef={testPanel} />
        <WhenSection zone={zone} edited={origin?.kind === 'edited' ? origin : null} />
        <SaveBar
          action={action}
          cancelTo={cancelTo}
          failure={failure}
          zone={zone}
          tested={
            <Tested
              test={test}
              isStored={origin?.kind === 'edited' && !form.formState.dirtyFields.destination}
              onTest={testNow}
            />
          }
        />
      </form>
      <LeaveGuard active={isDirty && !isSubmitting && !(isSubmitSuccessful && !failure)} />
    </FormProvider>
  )
}

/** Asks for confirmation before a page with unsaved changes is left; the browser asks before the tab is closed. */
function LeaveGuard({ active }: { active: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: async () => {
      // A dialog lays out the whole page again.
      if (active) await nextPaint()
      return active
    },
    enableBeforeUnload: () => active,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      back="Stay"
      onConfirm={() => void nextPaint().then(blocker.proceed)}
      onClose={blocker.reset}
    >
      Your changes have not been saved.
    </ConfirmDialog>
  )
}

/** Saves the form and shows the service's issues at their fields; `failure` contains those that belong to no field. */
function useSave(form: UseFormReturn<ExportValues, unknown, ExportInput>, onSave: ExportFormProps['onSave']) {
  const [failure, setFailure] = useState<Error | null>(null)
  const save = async (input: ExportInput) => {
    setFailure(null)
    try {
      await onSave(input)
    } catch (error) {
      const failed = error instanceof Error ? error : new Error(String(error))
      const { fields, rest } = issuesByField(failed, exportFields)
      if (fields.length === 0 || rest.length > 0) setFailure(withoutFieldMessages(failed, rest))
      for (const [index, { name, message }] of fields.entries())
        form.setError(name, { message }, { shouldFocus: index === 0 })
    }
  }
  return { failure, save }
}

/** Returns the failure without the messages already shown at fields. */
function withoutFieldMessages(error: Error, rest: readonly string[]): Error {
  if (!(error instanceof ApiProblem) || rest.length === 0) return error
  const { status, code, attr, requestId, retryAfterMs } = error
  return new ApiProblem(status, { code, attr, requestId, retryAfterMs, issues: [], detail: rest.join(' ') })
}
