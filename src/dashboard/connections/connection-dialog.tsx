import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { configIssues } from '../../contract/destinations/config-issues.ts'
import { integrationKinds } from '../../contract/integrations/integration-kinds.ts'
import {
  integrationKindLabels,
  integrationKindNames,
  type IntegrationKindName,
} from '../../contract/destinations/integration-kind-names.ts'
import type { Integration } from '../../contract/integrations/integration.ts'
import { useAccount } from '../account.ts'
import { ApiProblem } from '../api/problem.ts'
import { counted } from '../format/amount.ts'
import { useCreateIntegration, useRotateIntegration } from '../queries/exports/integrations.ts'
import { Dialog } from '../ui/controls/dialog.tsx'
import { SelectField, TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { fieldMessage } from '../ui/feedback/field-message.ts'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { toast } from '../ui/feedback/toasts.ts'
import { ConnectionControl } from './connection-control.tsx'
import { connectionFields, initialValues } from './connection-fields.ts'

type Values = { config: Record<string, string | boolean> }

type ConnectionDialogProps = {
  onClose: () => void
  /** Called with a new connection. */
  onCreated?: (made: Integration) => void
} & (
  | { /** Fixes the kind of the new connection. */ kind?: IntegrationKindName; rotated?: never }
  | { kind?: never; /** The connection whose config is replaced. */ rotated: Integration }
)

/** Creates a connection, or replaces the config of one. */
export function ConnectionDialog({ kind: fixed, rotated, onClose, onCreated }: ConnectionDialogProps) {
  const [chosen, setChosen] = useState<IntegrationKindName>(fixed ?? rotated?.kind ?? 'aws-s3')
  const label = integrationKindLabels[chosen]
  const title = rotated
    ? `Rotate ${rotated.display_name}`
    : fixed
      ? `New connection: ${label}`
      : 'New connection'
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {!fixed && !rotated && (
          <SelectField
            label="Kind"
            value={chosen}
            onChange={({ target }) =>
              setChosen(integrationKindNames.find((name) => name === target.value) ?? chosen)
            }
          >
            {integrationKindNames.map((name) => (
              <option key={name} value={name}>
                {integrationKindLabels[name]}
              </option>
            ))}
          </SelectField>
        )}
        <ConnectionForm
          key={chosen}
          kind={chosen}
          rotated={rotated ?? null}
          onClose={onClose}
          onCreated={onCreated}
        />
      </div>
    </Dialog>
  )
}

type FormProps = {
  kind: IntegrationKindName
  rotated: Integration | null
  onClose: () => void
  onCreated: ConnectionDialogProps['onCreated']
}

function ConnectionForm({ kind, rotated, onClose, onCreated }: FormProps) {
  const fields = connectionFields[kind]
  const { save, failure, results } = useSave(kind, rotated, (made) => {
    if (!rotated) onCreated?.(made)
    onClose()
  })
  const form = useForm<Values>({ defaultValues: { config: valuesOf(kind, rotated) } })
  const { register, handleSubmit, setError, clearErrors, formState } = form
  const submit = handleSubmit(async ({ config }) => {
    clearErrors()
    const issues = await save(configOf(kind, config))
    for (const [index, { name, message }] of issues.entries())
      setError(`config.${name}`, { message }, { shouldFocus: index === 0 })
  })
  const errorOf = (name: string) => formState.errors.config?.[name]?.message
  return (
    <Form noValidate onSubmit={submit}>
      {rotated && <RotationNote connection={rotated} />}
      <TextField
        label="Name"
        autoComplete="off"
        optional={isNameOptional(kind)}
        hint={isNameOptional(kind) ? 'By default, it is named after its user and address.' : undefined}
        error={errorOf('name')}
        {...register('config.name')}
      />
      {fields.map((field) => (
        <ConnectionControl
          key={field.name}
          field={field}
          error={errorOf(field.name)}
          {...register(`config.${field.name}`)}
        />
      ))}
      <p className="text-xs text-ink-3">Secrets are stored encrypted and never shown again.</p>
      {results.length > 0 && <Results texts={results} />}
      {failure && <ProblemNote error={failure} />}
      <FormActions onCancel={onClose} busy={formState.isSubmitting}>
        {rotated ? (rotated.used_by > 0 ? 'Test and rotate' : 'Rotate') : 'Create connection'}
      </FormActions>
    </Form>
  )
}

function RotationNote({ connection: { used_by: count } }: { connection: Integration }) {
  return (
    <p className="text-ink-2">
      {count === 0
        ? 'No export uses it. Enter the whole new configuration, with its secrets.'
        : `${counted(count, 'export')} ${count === 1 ? 'uses' : 'use'} it. Enter the whole new configuration, with its secrets: each export is tested with it, and all switch or none.`}
    </p>
  )
}

/** Lists the exports that do not work with a new config. */
function Results({ texts }: { texts: readonly string[] }) {
  return (
    <div role="alert" className="rounded-md border border-fail px-3 py-2">
      <p className="font-medium text-fail-ink">
        Nothing was changed: {counted(texts.length, 'export')} {texts.length === 1 ? 'does' : 'do'} not work
        with it.
      </p>
      <ul className="mt-1 flex list-disc flex-col gap-1 pl-4 wrap-anywhere">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

type Issue = { name: string; message: string }

/** Returns a function that validates and saves a config and resolves to the issues of its fields; and what went wrong otherwise. */
function useSave(
  kind: IntegrationKindName,
  rotated: Integration | null,
  onSaved: (made: Integration) => void,
) {
  const { projectId } = useAccount()
  const create = useCreateIntegration(projectId)
  const rotate = useRotateIntegration(projectId)
  const [failure, setFailure] = useState<Error | null>(null)
  const [results, setResults] = useState<readonly string[]>([])
  const send = async (config: Values['config']) => {
    if (!rotated) return await create.mutateAsync({ kind, config })
    return await rotate.mutateAsync({ id: rotated.id, config })
  }
  const save = async (config: Values['config']): Promise<Issue[]> => {
    setFailure(null)
    setResults([])
    const names = ['name', ...connectionFields[kind].map(({ name }) => name)]
    const issues = configIssues(integrationKinds[kind], config)
    if (issues.length > 0)
      return issues.map(({ path, message }) => ({ name: path[0] ?? 'name', message: fieldMessage(message) }))
    try {
      const saved = await send(config)
      toast(rotated ? rotatedText(saved) : `Created the connection ${saved.display_name}.`)
      onSaved(saved)
      return []
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const found = issuesByField(
        error,
        names.map((name) => `config.${name}`),
      )
      const isTested = error instanceof ApiProblem && error.attr === 'config' && rotated !== null
      if (isTested) setResults(found.rest)
      else if (found.fields.length === 0 || found.rest.length > 0) setFailure(error)
      return found.fields.map(({ name, message }) => ({ name: name.replace('config.', ''), message }))
    }
  }
  return { save, failure, results }
}

function rotatedText({ display_name: name, used_by: count }: Integration): string {
  return count === 0
    ? `Rotated ${name}.`
    : `Rotated ${name}: ${counted(count, 'export')} tested and switched.`
}

function isNameOptional(kind: IntegrationKindName): boolean {
  return !configIssues(integrationKinds[kind], {}).some(({ path }) => path[0] === 'name')
}

/** Returns the form's values: without secrets, those of the connection that is rotated. */
function valuesOf(kind: IntegrationKindName, rotated: Integration | null): Values['config'] {
  const names = ['name', ...connectionFields[kind].map(({ name }) => name)]
  return Object.fromEntries(
    names.map((name) => {
      const value = rotated ? rotated.config[name] : initialValues[name]
      if (typeof value === 'boolean') return [name, value]
      return [name, typeof value === 'string' || typeof value === 'number' ? String(value) : '']
    }),
  )
}

/** Returns a config without empty values. */
function configOf(kind: IntegrationKindName, values: Values['config']): Values['config'] {
  const names = ['name', ...connectionFields[kind].map(({ name }) => name)]
  const given = names.map((name) => [name, values[name] ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'boolean' || value.trim() !== ''))
}
