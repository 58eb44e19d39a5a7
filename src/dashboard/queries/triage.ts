import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../contract/endpoints.ts'
import type { Assignee } from '../../contract/triage.ts'
import { call } from '../api/call.ts'
import { sendAction } from '../ui/feedback/send-action.ts'
import { endpointQuery, invalidate, sendMutation } from './endpoint-query.ts'

/** Milliseconds before the members are fetched again; they rarely change. */
const staleTime = 60_000

/** Returns the members to whom errors or problems can be assigned, as a picker needs them. */
export function useAssignees(name: 'errorAssignees' | 'problemAssignees', projectId: string) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(name, { params: { project_id: projectId } }),
    staleTime,
  })
  return { people: data, error, onRetry: () => void refetch() }
}

/** What can be changed, by the list that shows it. */
type Changes = {
  errorClusters: Omit<BodyInput<'updateErrorClusters'>, 'clusters'>
  failureCauses: Omit<BodyInput<'updateProblems'>, 'causes'>
}
type Keys = {
  errorClusters: BodyInput<'updateErrorClusters'>['clusters'][number]
  failureCauses: BodyInput<'updateProblems'>['causes'][number]
}
type Change<List extends keyof Changes> = Changes[List] | { assignee: string | null }

const senders: {
  [List in keyof Changes]: (projectId: string, keys: Keys[List][], change: Change<List>) => Promise<unknown>
} = {
  errorClusters: (projectId, clusters, change) =>
    call('updateErrorClusters', { params: { project_id: projectId }, body: { clusters, ...change } }),
  failureCauses: (projectId, causes, change) =>
    call('updateProblems', { params: { project_id: projectId }, body: { causes, ...change } }),
}

export type TriageContext = { client: QueryClient; projectId: string }
/** Messages of a failure and of a success. */
type Words = { failed: string; done: string }

type TriageAction<List extends keyof Changes, Row> = Words & {
  list: List
  rows: readonly Row[]
  keyOf: (row: Row) => Keys[List]
  change: Change<List>
  /** The values that Undo gives back. */
  before: (row: Row) => Change<List>
}

/** Changes errors or problems; the toast offers Undo. */
export function triage<List extends keyof Changes, Row>(
  { client, projectId }: TriageContext,
  { list, rows, keyOf, change, before, failed, done }: TriageAction<List, Row>,
): Promise<void> {
  const send = async (changed: readonly Row[], to: Change<List>) => {
    try {
      await sendMutation(client, () => senders[list](projectId, changed.map(keyOf), to))
    } finally {
      await invalidate(client, list)
    }
  }
  const sendBack = async () => {
    for (const group of Map.groupBy(rows, (row) => JSON.stringify(before(row))).values()) {
      const [first] = group
      if (first) await send(group, before(first))
    }
  }
  return sendAction({
    failed,
    send: () => send(rows, change),
    done,
    undo: () => void sendAction({ failed: 'The change could not be undone.', send: sendBack }),
  })
}

type Assigned = { assignee: Assignee | null }
type Assignment<List extends keyof Changes, Row> = Words &
  Pick<TriageAction<List, Row>, 'list' | 'rows' | 'keyOf'> &
  Assigned

/** Assigns errors or problems, in the list at once; the toast offers Undo. */
export function assign<List extends keyof Changes, Row extends Assigned>(
  context: TriageContext,
  { assignee, ...action }: Assignment<List, Row>,
): Promise<void> {
  const { list, rows, keyOf } = action
  const keys = new Set(rows.map(keyOf))
  context.client.setQueriesData<{ results: Row[] }>({ queryKey: [list] }, (data) => {
    const results = data?.results.map((row) => (keys.has(keyOf(row)) ? { ...row, assignee } : row))
    return data && results && { ...data, results }
  })
  return triage(context, {
    ...action,
    change: { assignee: assignee?.uuid ?? null },
    before: (row) => ({ assignee: row.assignee?.uuid ?? null }),
  })
}
