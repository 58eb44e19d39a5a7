import type { QueryClient } from '@tanstack/react-query'
import { isStatus } from '../../api/problem.ts'
import { sendEach, type Outcome } from '../../api/send-each.ts'
import { counted } from '../../words/amount.ts'
import { reportFailures } from '../feedback/failure-report.ts'
import { sendLater, type LaterVerb } from '../feedback/send-later.ts'
import { toast, toastFailure } from '../feedback/toasts.ts'
import type { OnProgress } from './list-action.ts'

/** How requests for rows of a list are reported, and which queries they make stale. */
export type RequestKind<Row> = {
  client: QueryClient
  /** Noun for a row: "export". */
  noun: string
  nameOf: (row: Row) => string
  /** Names one row, or counts several: "Orders", "3 exports". */
  named: (rows: readonly Row[]) => string
  /** Fetches the data that the requests have changed. */
  refresh: () => Promise<void>
}

type RowRequest<Row, Answer> = {
  /** Completes the message of a failure, "3 exports could not be …": "paused". */
  participle: string
  send: (row: Row) => Promise<Answer>
  /** Repeats the action for the rows whose requests failed. */
  retry: (failed: readonly Row[]) => void
  /** Called with the changed rows, before the toast. */
  onDone?: (rows: readonly Row[]) => void
}

type RequestNow<Row, Answer> = RowRequest<Row, Answer> & {
  /** Returns the toast's text: "Paused 3 exports." */
  done: (what: string) => string
  /** Undoes the action; offered in the toast. */
  undo?: (changed: readonly Row[]) => void
  /** Reverts an optimistic change of a row whose request failed. */
  revert?: (row: Row) => void
  onProgress?: OnProgress | undefined
}

/** Sends a request for each row. Shows a toast with the result and Undo, or with the failure and Retry. */
export async function sendNow<Row extends { id: string }, Answer>(
  kind: RequestKind<Row>,
  rows: readonly Row[],
  request: RequestNow<Row, Answer>,
): Promise<void> {
  const { participle, send, retry, onDone, done, undo, revert, onProgress } = request
  try {
    const outcome = await sendToAll(kind, rows, {
      participle,
      retry,
      onProgress,
      send: (row) =>
        send(row).catch((error: unknown) => {
          revert?.(row)
          throw error
        }),
    })
    const changed = outcome.done.map(({ item }) => item)
    onDone?.(changed)
    toast(done(kind.named(changed)), undo ? { undo: () => undo(changed) } : {})
  } catch (error) {
    const failed = toastFailure(`${kind.named(rows)} could not be ${participle}.`, () => retry(rows))
    failed(error instanceof Error ? error : new Error(String(error)))
  }
}

type RequestLater<Row, Answer> = RowRequest<Row, Answer> & {
  verb: LaterVerb
  /** Shown with Undo until the requests are sent: "Deleting 3 exports". */
  label: string
  /** Returns the text of the toast after the requests. */
  done: (answered: Outcome<Row, Answer>['done']) => string
}

/** Sends a request for each row after six seconds unless undone. */
export function sendRowsLater<Row extends { id: string }, Answer>(
  kind: RequestKind<Row>,
  rows: readonly Row[],
  { verb, label, participle, send, retry, onDone, done }: RequestLater<Row, Answer>,
): void {
  sendLater({
    verb,
    on: rows.map(({ id }) => id),
    label,
    failed: `${kind.named(rows)} could not be ${participle}.`,
    send: async () => {
      const outcome = await sendToAll(kind, rows, { participle, send, retry })
      onDone?.(outcome.done.map(({ item }) => item))
      return outcome
    },
    done: (outcome) => done(outcome.done),
  })
}

type Sending<Row, Answer> = Pick<RequestNow<Row, Answer>, 'participle' | 'send' | 'retry' | 'onProgress'>

/**
 * Sends a request for each row, refreshes the data, and reports the failed rows if only some failed.
 * @throws the first failure if all requests failed, or a 401.
 */
export async function sendToAll<Row extends { id: string }, Answer>(
  { client, noun, nameOf, refresh }: Omit<RequestKind<Row>, 'named'>,
  rows: readonly Row[],
  { participle, send, retry, onProgress }: Sending<Row, Answer>,
): Promise<Outcome<Row, Answer>> {
  // A mutation, so that the mutation cache handles a 401.
  const mutation = client.getMutationCache().build(client, {
    mutationFn: async () => {
      const outcome = await sendEach(rows, send, { onProgress })
      const refused = outcome.failed.find(({ error }) => isStatus(error, 401))
      const fatal = refused ?? (outcome.done.length === 0 ? outcome.failed[0] : undefined)
      if (fatal) throw fatal.error
      return outcome
    },
  })
  const outcome = await mutation.execute(undefined)
  await refresh()
  const { failed } = outcome
  if (failed.length > 0)
    reportFailures({
      title: `${failed.length} of ${counted(rows.length, noun)} could not be ${participle}`,
      failures: failed.map(({ item, error }) => ({ id: item.id, name: nameOf(item), why: error.message })),
      retry: () => retry(failed.map(({ item }) => item)),
    })
  return outcome
}
