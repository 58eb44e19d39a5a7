import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { useBlocker } from '@tanstack/react-router'
import type { Instance } from '../../../contract/api-key.ts'
import { usePreferences } from '../../words/preferences.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { knownDestinations } from '../../words/destination.ts'
import { exportSchema, type ExportInput } from './export-schema.ts'
import type { ExportValues, Origin } from './export-values.ts'
import { SaveBar } from './save-bar.tsx'
import { useConnectionTest } from './use-connection-test.ts'
import { useSave } from './use-save.ts'
import { WhatSection } from './what-section.tsx'
import { WhenSection } from './when-section.tsx'
import { WhereSection } from './where-section.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type ExportFormProps = {
  values: ExportValues
  /** null for a new export that is nothing's copy. */
  origin: Origin | null
  instance: Instance
  /** The deed, as a verb. */
  action: string
  /** Where Cancel leads. */
  cancelTo: { to: '/exports' } | { to: '/exports/$id'; params: { id: string } }
  onSave: (input: ExportInput) => Promise<unknown>
  /** Leads away after the form has been saved. */
  onSaved: () => void
}

/** Everything about a batch export, new or not. It survives errors: what was typed stays. */
export function ExportForm(props: ExportFormProps) {
  const { values, origin, instance, action, cancelTo, onSave, onSaved } = props
  const preferences = usePreferences()
  // The fields hold times of one zone, the one in which the form was opened.
  const [zone] = useState(preferences.zone)
  const around = { zone, offered: knownDestinations(instance.destinations), origin }
  const form = useForm<ExportValues, unknown, ExportInput>({
    defaultValues: values,
    resolver: zodResolver(exportSchema(around)),
  })
  const { isDirty, isSubmitting, isSubmitSuccessful } = form.formState
  const { failure, save } = useSave(form, onSave, onSaved)
  const submit = form.handleSubmit(save)
  useKeys({ 'mod+Enter': { does: action, run: () => void submit(), whileTyping: true } })
  const test = useConnectionTest(form, around)
  const testPanel = useRef<HTMLElement>(null)
  const testNow = () => {
    testPanel.current?.scrollIntoView()
    test.run()
  }
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="mt-5 -mb-16 flex flex-col gap-9 [&_:is(input,select,textarea,button,summary)]:scroll-my-20"
        onSubmit={(event) => void submit(event)}
      >
        <WhatSection />
        <WhereSection instance={instance} origin={origin} test={test} testRef={testPanel} />
        <WhenSection zone={zone} edited={origin?.kind === 'edited' ? origin : null} />
        <SaveBar action={action} cancelTo={cancelTo} failure={failure} onTest={testNow} />
      </form>
      <LeaveGuard active={isDirty && !isSubmitting && !(isSubmitSuccessful && !failure)} />
    </FormProvider>
  )
}

/** Asks before a page with unsaved changes is left; the browser asks by itself before it closes the tab. */
function LeaveGuard({ active }: { active: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => active,
    enableBeforeUnload: () => active,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      back="Stay"
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      What you changed here is not saved yet.
    </ConfirmDialog>
  )
}
