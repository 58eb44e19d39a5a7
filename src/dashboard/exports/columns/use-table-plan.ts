import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Instance } from '../../../contract/instance.ts'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { settingLabel } from '../../../contract/exports/setting-label.ts'
import { useAccount } from '../../account.ts'
import { call } from '../../api/call.ts'
import { knownDestinations } from '../../format/destination.ts'
import { fieldMessage } from '../../ui/feedback/field-message.ts'
import { destinationToTest } from '../values/export-schema.ts'
import type { ExportValues, Origin } from '../values/export-values.ts'

type Given = { origin: Origin | null; instance: Instance }

/** Compares the form's columns with the table, on demand: the request opens a connection to the database. */
export function useTablePlan({ origin, instance }: Given) {
  const { projectId } = useAccount()
  const { control, getValues } = useFormContext<ExportValues>()
  const [asked, setAsked] = useState('')
  const [missing, setMissing] = useState<string[]>([])
  const plan = useMutation({
    mutationFn: (body: BodyInput<'planTable'>) =>
      call('planTable', { params: { project_id: projectId }, body }),
  })
  const [model, query, destination] = useWatch({ control, name: ['model', 'hogql_query', 'destination'] })
  const current = JSON.stringify([model, query, destination])
  const load = () => {
    const values = getValues()
    const offered = knownDestinations(instance.destinations)
    const found = destinationToTest(values, { zone: 'utc', offered, origin })
    setAsked(JSON.stringify([values.model, values.hogql_query, values.destination]))
    setMissing(
      found.issues.map(({ path, message }) => `${settingLabel(path.join('.'))}: ${fieldMessage(message)}`),
    )
    if (found.issues.length > 0) return plan.reset()
    const isOfOrigin = origin?.destination.type === values.destination.type
    plan.mutate({
      destination: found.destination,
      model: values.model,
      hogql_query: values.hogql_query.trim() === '' ? null : values.hogql_query,
      ...(isOfOrigin && { id: origin.id }),
    })
  }
  return {
    load,
    isLoading: plan.isPending,
    plan: plan.data?.plan ?? null,
    problem: plan.data?.problem ?? null,
    failure: plan.error,
    /** What must be entered or corrected first, by field. */
    missing: asked === current ? missing : [],
    /** The form has changed since the plan was requested. */
    isOutdated: asked !== current,
  }
}
