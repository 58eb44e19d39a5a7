import { z } from 'zod'
import { NewBatchExport } from '../../../contract/batch-export.ts'
import {
  destinationIssues,
  secretFields,
  type DestinationInput,
  type DestinationIssue,
  type DestinationType,
} from '../../../contract/destination.ts'
import type { Zone } from '../../words/preferences.ts'
import { fieldMessage, lengthMessage } from '../../ui/feedback/field-message.ts'
import { inputOfValues, type ExportValues, type Origin } from './export-values.ts'

/** A request's body; what edits an export reads the same. */
export type ExportInput = z.infer<typeof NewBatchExport>

export type Around = {
  zone: Zone
  /** The types that this installation offers. */
  offered: readonly DestinationType[]
  /** null for a new export that is nothing's copy. */
  origin: Origin | null
}

/** Judges what the form says as the service will, everything at once, and turns it into a request's body. */
export function exportSchema(around: Around) {
  return z.custom<ExportValues>().transform((values, context): ExportInput => {
    const { origin, zone } = around
    const input = inputOfValues(values, zone, storedOf(origin))
    const parsed = NewBatchExport.safeParse(input, { error: lengthMessage })
    const issues = [
      ...(parsed.error?.issues ?? []),
      ...(isInOrder(values) ? [] : [{ path: ['end_at'], message: 'The end must be after the start.' }]),
      ...issuesOfDestination(input.destination, around),
    ]
    for (const { path, message } of issues)
      context.addIssue({ code: 'custom', path: [...path], message: fieldMessage(message) })
    if (!parsed.success || issues.length > 0) return z.NEVER
    return origin?.kind === 'cloned' ? { ...parsed.data, cloned_from: origin.id } : parsed.data
  })
}

/** The destination as a trial takes it: what is not given comes from the origin's, secrets too. */
export function destinationToTry(
  values: ExportValues,
  around: Around,
): { destination: DestinationInput; issues: DestinationIssue[] } {
  const { destination } = inputOfValues(values, around.zone, around.origin?.destination ?? null)
  return { destination, issues: issuesOfDestination(destination, around) }
}

function issuesOfDestination(destination: DestinationInput, { origin, offered }: Around): DestinationIssue[] {
  return destinationIssues(whole(destination, origin), offered)
}

/** The destination as it will be: the origin's unseen secrets, and of a changed one all that is stored, under what is sent. */
function whole(input: DestinationInput, origin: Origin | null): DestinationInput {
  if (!origin || origin.destination.type !== input.type) return input
  const secrets = Object.fromEntries(secretFields[origin.destination.type].map((name) => [name, 'unchanged']))
  return { type: input.type, config: { ...secrets, ...storedOf(origin)?.config, ...input.config } }
}

/** What the service merges a request into; a copy is a new export. */
function storedOf(origin: Origin | null) {
  return origin?.kind === 'edited' ? origin.destination : null
}

/** `datetime-local` values of one zone compare as texts. */
function isInOrder({ start_at: start, end_at: end }: ExportValues): boolean {
  return start === '' || end === '' || start < end
}
