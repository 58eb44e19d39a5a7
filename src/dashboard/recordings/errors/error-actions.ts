import type { QueryClient } from '@tanstack/react-query'
import type { ErrorCluster, ErrorState } from '../../../contract/recordings/error-cluster.ts'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { call } from '../../api/call.ts'
import { sendMutation, invalidate } from '../../queries/endpoint-query.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { counted } from '../../format/amount.ts'

/** An error in the list; a new one was first seen after the previous visit to the page. */
export type ErrorRow = ErrorCluster & { id: string; isNew: boolean }

export type ErrorContext = { client: QueryClient; projectId: string; open: (row: ErrorRow) => void }
type Action = ListAction<ErrorRow, ErrorContext>

/** All actions on errors, in the order of the row menu. */
export const errorActions = {
  open: {
    label: 'Open',
    keyLabel: 'Show the error with its replays',
    keys: ['Enter'],
    single: true,
    perform: ([row], { open }) => row && open(row),
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
      recordingCan.change(scopes) ?? (row.state === state ? `This error is ${already}.` : null),
    reasonForAll: (scopes) => recordingCan.change(scopes) ?? `These errors are ${already}.`,
    perform: (rows, context) => setState(context, rows, state),
  } satisfies Action
}

export function namedErrors(rows: readonly ErrorRow[]): string {
  const [only] = rows
  return rows.length === 1 && only ? only.pattern : counted(rows.length, 'error')
}

const participles: Record<ErrorState, string> = { open: 'reopened', resolved: 'resolved', ignored: 'ignored' }

/** Sets the state of these errors; the toast offers Undo. */
function setState(context: ErrorContext, rows: readonly ErrorRow[], state: ErrorState): Promise<void> {
  const what = rows.length === 1 ? `“${namedErrors(rows)}”` : namedErrors(rows)
  return sendAction({
    failed: `${what} could not be ${participles[state]}.`,
    send: () => send(context, rows, state),
    done: `${what} ${participles[state]}.`,
    undo: () => void restore(context, rows),
  })
}

/** Gives errors the states back that they have in `rows`. */
function restore(context: ErrorContext, rows: readonly ErrorRow[]): Promise<void> {
  return sendAction({
    failed: 'The change could not be undone.',
    send: async () => {
      for (const [state, group] of Map.groupBy(rows, (row) => row.state)) await send(context, group, state)
    },
  })
}

async function send(
  { client, projectId }: ErrorContext,
  rows: readonly ErrorRow[],
  state: ErrorState,
): Promise<void> {
  const body = { clusters: rows.map(({ cluster }) => cluster), state }
  await sendMutation(client, () => call('updateErrorClusters', { params: { project_id: projectId }, body }))
  await invalidate(client, 'errorClusters')
}
