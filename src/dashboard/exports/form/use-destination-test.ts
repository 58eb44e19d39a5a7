import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useAccount } from '../../account.ts'
import { fieldMessage } from '../../ui/feedback/field-message.ts'
import { destinationToTest, type FormContext, type ExportInput } from '../values/export-schema.ts'
import { exportFields, type ExportField, type ExportValues } from '../values/export-values.ts'
import { issuesByField } from '../../ui/feedback/server-issues.ts'
import { useMutation } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'

/** Returns a text for what a test depends on: the destination without the changes of its columns. */
function placeInText({ config, ...destination }: ExportValues['destination']): string {
  return JSON.stringify({ ...destination, config: { ...config, columns: [] } })
}

export type DestinationTestState = ReturnType<typeof useDestinationTest>

/** Tests the form's destination, with the stored secrets where the fields are left empty. */
export function useDestinationTest(
  form: UseFormReturn<ExportValues, unknown, ExportInput>,
  context: FormContext,
) {
  const { projectId } = useAccount()
  const test = useMutation({
    mutationFn: (body: BodyInput<'testConnection'>) =>
      call('testConnection', { params: { project_id: projectId }, body }),
  })
  const [hasInvalidFields, setHasInvalidFields] = useState(false)
  const destination = useWatch({ control: form.control, name: 'destination' })
  const current = placeInText(destination)
  const [tested, setTested] = useState(current)

  const mark = (issues: readonly { name: ExportField; message: string }[]) => {
    setHasInvalidFields(issues.length > 0)
    for (const [index, { name, message }] of issues.entries())
      form.setError(name, { message }, { shouldFocus: index === 0 })
  }
  const run = () => {
    const values = form.getValues()
    const { destination, issues } = destinationToTest(values, context)
    setTested(placeInText(values.destination))
    mark(
      exportFields.flatMap((name) => {
        const issue = issues.find(({ path }) => path.join('.') === name)
        return issue ? [{ name, message: fieldMessage(issue.message) }] : []
      }),
    )
    if (issues.length > 0) return test.reset()
    const { origin } = context
    const isOfOrigin = origin?.destination.type === destination.type
    test.mutate(
      { destination, ...(isOfOrigin && { id: origin.id }) },
      { onError: (error) => mark(issuesByField(error, exportFields).fields) },
    )
  }
  return {
    run,
    isRunning: test.isPending,
    result: test.data ?? null,
    /** When the test was started (ms). */
    testedAt: test.submittedAt,
    /** The destination has changed since the test. */
    isOutdated: test.data !== undefined && tested !== current,
    /** Fields of the destination are missing or invalid, and are marked. */
    hasInvalidFields: hasInvalidFields && tested === current,
    failure: hasInvalidFields ? null : test.error,
  }
}
