import type { QueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import type { ErrorCluster, ErrorState } from '../../../contract/recordings/error-cluster.ts'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import type { Assignee } from '../../../contract/triage.ts'
import { call } from '../../api/call.ts'
import { counted } from '../../format/amount.ts'
import { invalidate, sendMutation } from '../../queries/endpoint-query.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import type { ListAction } from '../../ui/list/list-action.ts'

/** An error in the list; a new one was first seen after the previous visit to the page. */
export type ErrorRow = ErrorCluster & { id: string; isNew: boolean }

export type ErrorContext = {
  client: QueryClient
  projectId: string
  /** The user; null for a key of the organization, which can have no assignments. */
  me: Assignee | null
  open: (row: ErrorRow) => void
  /** Asks to whom these are assigned. */
  assign: (rows: readonly ErrorRow[]) => void
}
type Action = ListAction<ErrorRow, ErrorContext>

export const assignReason = recordingCan.changeErrors

/** All actions on errors, in the order of the row menu. */
export const errorActions = {
  open: {
    label: 'Open',
    keyLabel: 'Show the error with its replays',
    keys: ['Enter'],
    single: true,
    perform: ([row], { open }) => row && open(row),
  },
  assignToMe: {
    label: 'Assign to me',
    keys: ['m'],
    reason: (_, scopes) => assignReason(scopes),
    perform: (rows, context) => (context.me ? assignErrors(context, rows, context.me) : context.assign(rows)),
  },
  assign: {
    label: 'Assign…',
    keys: ['a'],
    reason: (_, scopes) => assignReason(scopes),
    perform: (rows, { assign }) => assign(rows),
  },
  resolve: setting('resolved', 'Resolve', 'r'),
  ignore: setting('ignored', 'Ignore', 'i'),
  reopen: setting('open', 'Reopen', 'o'),
} satisfies Record<string, Action>

/** An action that sets the state of errors. */
function setting(state: ErrorState, label: string, key: string) {
  const already = state === 'open' ? 'open' : `already ${state}`
  return {
    label,
    keys: [key],
    reason: (row, scopes) =>
      assignReason(scopes) ?? (row.state === state ? `This error is ${already}.` : null),
    reasonForAll: (scopes) => assignReason(scopes) ?? `These errors are ${already}.`,
    perform: (rows, context) => setState(context, rows, state),
  } satisfies Action
}

export function namedErrors(rows: readonly ErrorRow[]): string {
  const [only] = rows
  return rows.length === 1 && only ? only.pattern : counted(rows.length, 'error')
}

const quoted = (rows: readonly ErrorRow[]) =>
  rows.length === 1 ? `“${namedErrors(rows)}”` : namedErrors(rows)

type Sender = Pick<ErrorContext, 'client' | 'projectId'>

const participles: Record<ErrorState, string> = { open: 'reopened', resolved: 'resolved', ignored: 'ignored' }

/** Sets the state of these errors; the toast offers Undo. */
function setState(context: Sender, rows: readonly ErrorRow[], state: ErrorState): Promise<void> {
  return sendAction({
    failed: `${quoted(rows)} could not be ${participles[state]}.`,
    send: () => send(context, rows, { state }),
    done: `${quoted(rows)} ${participles[state]}.`,
    undo: () =>
      void undo(
        context,
        Map.groupBy(rows, (row) => row.state),
        (before) => ({ state: before }),
      ),
  })
}

/** Assigns these errors, in the list at once; the toast offers Undo. */
export function assignErrors(
  context: Sender,
  rows: readonly ErrorRow[],
  assignee: Assignee | null,
): Promise<void> {
  showAssignee(context.client, rows, assignee)
  return sendAction({
    failed: `${quoted(rows)} could not be assigned.`,
    send: () => send(context, rows, { assignee: assignee?.uuid ?? null }),
    done: assignee ? `${quoted(rows)} assigned to ${assignee.name}.` : `${quoted(rows)} ${rows.length === 1 ? 'is' : 'are'} unassigned now.`,
    undo: () =>
      void undo(
        context,
        Map.groupBy(rows, (row) => row.assignee?.uuid ?? null),
        (before) => ({ assignee: before }),
      ),
  })
}

type Change = Omit<BodyInput<'updateErrorClusters'>, 'clusters'>

/** Gives errors back the values that they had, by which `groups` has them. */
function undo<Value>(
  context: Sender,
  groups: ReadonlyMap<Value, readonly ErrorRow[]>,
  changeTo: (value: Value) => Change,
): Promise<void> {
  return sendAction({
    failed: 'The change could not be undone.',
    send: async () => {
      for (const [value, group] of groups) await send(context, group, changeTo(value))
    },
  })
}

async function send({ client, projectId }: Sender, rows: readonly ErrorRow[], change: Change) {
  const body = { clusters: rows.map(({ cluster }) => cluster), ...change }
  try {
    await sendMutation(client, () => call('updateErrorClusters', { params: { project_id: projectId }, body }))
  } finally {
    await invalidate(client, 'errorClusters')
  }
}

function showAssignee(client: QueryClient, rows: readonly ErrorRow[], assignee: Assignee | null): void {
  const changed = new Set(rows.map(({ cluster }) => cluster))
  client.setQueriesData<ResponseOf<'errorClusters'>>({ queryKey: ['errorClusters'] }, (data) => {
    const results = data?.results.map((row) => (changed.has(row.cluster) ? { ...row, assignee } : row))
    return data && results && { ...data, results }
  })
}
