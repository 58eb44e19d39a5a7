import type { ErrorCluster, ErrorState } from '../../../contract/recordings/error-cluster.ts'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { Assignee } from '../../../contract/triage.ts'
import { counted } from '../../format/amount.ts'
import { assign, triage, type TriageContext } from '../../queries/triage.ts'
import type { ListAction } from '../../ui/list/list-action.ts'

/** An error in the list; a new one was first seen after the previous visit to the page. */
export type ErrorRow = ErrorCluster & { id: string; isNew: boolean }

export type ErrorContext = TriageContext & {
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
    perform: (rows, context) => context.assign(rows),
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

const participles: Record<ErrorState, string> = { open: 'reopened', resolved: 'resolved', ignored: 'ignored' }
const keyOf = ({ cluster }: ErrorRow) => cluster

function setState(context: TriageContext, rows: readonly ErrorRow[], state: ErrorState): Promise<void> {
  return triage(context, {
    list: 'errorClusters',
    rows,
    keyOf,
    change: { state },
    before: (row) => ({ state: row.state }),
    failed: `${quoted(rows)} could not be ${participles[state]}.`,
    done: `${quoted(rows)} ${participles[state]}.`,
  })
}

export function assignErrors(
  context: TriageContext,
  rows: readonly ErrorRow[],
  assignee: Assignee | null,
): Promise<void> {
  const are = rows.length === 1 ? 'is' : 'are'
  return assign(context, {
    list: 'errorClusters',
    rows,
    keyOf,
    assignee,
    failed: `${quoted(rows)} could not be assigned.`,
    done: `${quoted(rows)} ${assignee ? `assigned to ${assignee.name}` : `${are} unassigned now`}.`,
  })
}
