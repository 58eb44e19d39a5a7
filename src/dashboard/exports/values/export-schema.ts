import { z } from 'zod'
import { NewBatchExport } from '../../../contract/exports/batch-export.ts'
import {
  destinationIssues,
  type DestinationIssue,
} from '../../../contract/destinations/destination-issues.ts'
import { keptSecrets, movedSecretIssues } from '../../../contract/destinations/moved-secrets.ts'
import type { DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import type { DestinationInput, DestinationType } from '../../../contract/destinations/destination.ts'
import type { Zone } from '../../format/preferences.ts'
import { fieldMessage, lengthMessage } from '../../ui/feedback/field-message.ts'
import { inputOfValues, type ExportValues, type Origin } from './export-values.ts'

/** The body of a create or update request. */
export type ExportInput = z.infer<typeof NewBatchExport>

export type FormContext = {
  zone: Zone
  /** Destination types that this installation offers. */
  offered: readonly DestinationType[]
  /** null for a new export that is not a copy. */
  origin: Origin | null
}

/** Returns the schema that validates the form like the service, reports all issues at once, and produces a request body. */
export function exportSchema(form: FormContext) {
  return z.custom<ExportValues>().transform((values, context): ExportInput => {
    const { origin, zone } = form
    const input = inputOfValues(values, zone, storedOf(origin))
    const parsed = NewBatchExport.safeParse(input, { error: lengthMessage })
    const issues = [
      ...(parsed.error?.issues ?? []),
      ...(isInOrder(values) ? [] : [{ path: ['end_at'], message: 'The end must be after the start.' }]),
      ...issuesOfDestination(input.destination, form),
    ]
    for (const { path, message } of issues)
      context.addIssue({ code: 'custom', path: [...path], message: fieldMessage(message) })
    if (!parsed.success || issues.length > 0) return z.NEVER
    return origin?.kind === 'cloned' ? { ...parsed.data, cloned_from: origin.id } : parsed.data
  })
}

/** Returns the destination for a test; missing fields, including secrets, come from the origin. */
export function destinationToTest(
  values: ExportValues,
  form: FormContext,
): { destination: DestinationInput; issues: DestinationIssue[] } {
  const { destination } = inputOfValues(values, form.zone, form.origin?.destination ?? null)
  return { destination, issues: issuesOfDestination(destination, form) }
}

/** Returns the issues of the destination; those inside a field belong to the field. */
function issuesOfDestination(input: DestinationInput, context: FormContext): DestinationIssue[] {
  return storedIssues(input, context).map((issue) => ({ ...issue, path: issue.path.slice(0, 3) }))
}

/** Validates the destination as the service will store it: the input merged over the origin's secrets and stored fields. */
function storedIssues(input: DestinationInput, { origin, offered }: FormContext): DestinationIssue[] {
  const hasConnection = typeof input.integration_id === 'number'
  if (!origin || origin.destination.type !== input.type)
    return destinationIssues(
      { ...input, config: { ...generatedOf(input), ...input.config }, hasConnection },
      offered,
    )
  const { type, config: stored } = origin.destination
  const inline = hasConnection ? [] : destinationKinds[type].secrets
  const generated = origin.kind === 'cloned' ? generatedOf(input) : {}
  const kept = keptSecrets(type, inline, { ...generated, ...input.config })
  const secrets = Object.fromEntries(kept.map((name) => [name, stored?.[name] ?? storedSecret]))
  const config = { ...secrets, ...generated, ...storedOf(origin)?.config, ...input.config }
  return [
    ...movedSecretIssues(type, stored ?? {}, config, kept),
    ...destinationIssues({ type, config, hasConnection }, offered),
  ]
}

/** Stands for a secret that only the service knows, in a form that each type accepts. */
const storedSecret = 'known-to-the-service'

/** Returns a value for the secret that the service will generate, if the type has one. */
function generatedOf({ type }: DestinationInput): Record<string, string> {
  const known = destinationTypes.find((each) => each === type)
  const { generated }: DestinationKind = known ? destinationKinds[known] : destinationKinds.File
  return generated ? { [generated]: storedSecret } : {}
}

/** Returns the stored destination that the service merges a request into; null for a copy, which is a new export. */
function storedOf(origin: Origin | null) {
  return origin?.kind === 'edited' ? origin.destination : null
}

/** Whether start precedes end; `datetime-local` values of one zone compare as strings. */
function isInOrder({ start_at: start, end_at: end }: ExportValues): boolean {
  return start === '' || end === '' || start < end
}
