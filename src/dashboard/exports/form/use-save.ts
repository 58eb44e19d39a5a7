import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ApiProblem } from '../../api/problem.ts'
import { exportFields } from '../values/export-fields.ts'
import type { ExportInput } from '../values/export-schema.ts'
import type { ExportValues } from '../values/export-values.ts'
import { issuesByField } from '../../ui/feedback/server-issues.ts'

/** Saves the form and shows the service's issues at their fields; `failure` contains those that belong to no field. */
export function useSave(
  form: UseFormReturn<ExportValues, unknown, ExportInput>,
  onSave: (input: ExportInput) => Promise<unknown>,
  onSaved: () => void,
) {
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
      return
    }
    onSaved()
  }
  return { failure, save }
}

/** Returns the failure without the messages already shown at fields. */
function withoutFieldMessages(error: Error, rest: readonly string[]): Error {
  if (!(error instanceof ApiProblem) || rest.length === 0) return error
  const { status, code, attr, requestId, retryAfterMs } = error
  return new ApiProblem(status, { code, attr, requestId, retryAfterMs, issues: [], detail: rest.join(' ') })
}
