import { z } from 'zod'
import { BatchExportCreate } from '../../contract/batch-export.ts'
import {
  destinationIssues,
  secretFields,
  type Destination,
  type DestinationInput,
  type DestinationType,
} from '../../contract/destination.ts'
import type { Zone } from '../preferences.ts'
import { inputOfValues, type ExportValues } from './export-values.ts'

type Around = {
  zone: Zone
  /** The types that this installation offers. */
  offered: readonly DestinationType[]
  /** The destination that is being edited, null for a new export. */
  stored: Destination | null
}

/** Judges what the form says as the service will, everything at once, and turns it into a request's body. */
export function exportSchema({ zone, offered, stored }: Around) {
  return z.custom<ExportValues>().transform((values, context): BatchExportCreate => {
    const input = inputOfValues(values, zone, stored)
    const parsed = BatchExportCreate.safeParse(input, { error: describe })
    const issues = [
      ...(parsed.error?.issues ?? []),
      ...destinationIssues(whole(input.destination, stored), offered),
    ]
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message })
    return parsed.success && issues.length === 0 ? parsed.data : z.NEVER
  })
}

/** The destination as it will be: what is stored, its secrets unseen, with what is sent over it. */
function whole(input: DestinationInput, stored: Destination | null): DestinationInput {
  if (stored?.type !== input.type) return input
  const secrets = Object.fromEntries(secretFields[stored.type].map((name) => [name, 'unchanged']))
  return { type: input.type, config: { ...secrets, ...stored.config, ...input.config } }
}

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'too_small' && issue.origin === 'string' ? 'This field may not be blank.' : undefined
}
