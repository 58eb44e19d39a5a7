import type { QueryClient } from '@tanstack/react-query'
import { isStatus } from '../../api/problem.ts'
import { sendEach, type Outcome } from '../../api/send-each.ts'
import { sendMutation } from '../../api/send-mutation.ts'
import { counted } from '../../format/amount.ts'
import { reportFailures } from '../feedback/failure-report.ts'
import { sendLater, type LaterVerb } from '../feedback/send-action.ts'
import { toast, toastFailure } from '../feedback/toasts.ts'

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

type RowRequest<Row, ResponseBody> = {
  /** Completes the message of a failure, "3 exports could not be …": "paused". */
  participle: string
  send: (row: Row) => Promise<ResponseBody>
  /** Repeats the action for the rows whose requests failed. */
  retry: (failed: readonly Row[]) => void
  /** Called with the changed rows, before the toast. */
  onDone?: (rows: readonly Row[]) => void
}

type RequestNow<Row, ResponseBody> = RowRequest<Row, ResponseBody> & {
  /** Returns the toast's text: "Paused 3 exports."; null if the function shows its own toast. */
  done: (what: string, results: Outcome<Row, ResponseBody>['done']) => string | null
  /** Undoes the action; offered in the toast. */
  undo?: (changed: readonly Row[]) => void
  /** Reverts an optimistic change of a row whose request failed. */
  revert?: (row: Row) => void
}

/** Sends a request for each row. Shows a toast with the result and Undo, or with the failure and Retry. */
export async function sendNow<Row extends { id: string }, ResponseBody>(
  kind: RequestKind<Row>,
  rows: readonly Row[],
  request: RequestNow<Row, ResponseBody>,
): Promise<void> {
  const { participle, send, retry, onDone, done, undo, revert } = request
  try {
    const outcome = await sendToAll(kind, rows, {
      participle,
      retry,
      send: (row) =>
        send(row).catch((error: unknown) => {
          revert?.(row)
          throw error
        }),
    })
    const changed = outcome.done.map(({ item }) => item)
    onDone?.(changed)
    const text = done(kind.named(changed), outcome.done)
    if (text !== null) toast(text, undo ? { undo: () => undo(changed) } : {})
  } catch (error) {
    const failed = toastFailure(`${kind.named(rows)} could not be ${participle}.`, () => retry(rows))
    failed(error)
  }
}

type RequestLater<Row, ResponseBody> = RowRequest<Row, ResponseBody> & {
  verb: LaterVerb
  /** Shown with Undo until the requests are sent: "Deleting 3 exports". */
  label: string
  /** Returns the text of the toast after the requests. */
  done: (results: Outcome<Row, ResponseBody>['done']) => string
}

/** Sends a request for each row after six seconds unless undone. */
export function sendRowsLater<Row extends { id: string }, ResponseBody>(
  kind: RequestKind<Row>,
  rows: readonly Row[],
  { verb, label, participle, send, retry, onDone, done }: RequestLater<Row, ResponseBody>,
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

type Sending<Row, ResponseBody> = Pick<RowRequest<Row, ResponseBody>, 'participle' | 'send' | 'retry'> & {
  /** Called with the number of completed requests. */
  onProgress?: (completed: number) => void
}

/**
 * Sends a request for each row, refreshes the data, and reports the failed rows if only some failed.
 * @throws the first failure if all requests failed, or a 401.
 */
export async function sendToAll<Row extends { id: string }, ResponseBody>(
  { client, noun, nameOf, refresh }: Omit<RequestKind<Row>, 'named'>,
  rows: readonly Row[],
  { participle, send, retry, onProgress }: Sending<Row, ResponseBody>,
): Promise<Outcome<Row, ResponseBody>> {
  const outcome = await sendMutation(client, async () => {
    const outcome = await sendEach(rows, send, { onProgress })
    const refused = outcome.failed.find(({ error }) => isStatus(error, 401))
    const fatal = refused ?? (outcome.done.length === 0 ? outcome.failed[0] : undefined)
    if (fatal) throw fatal.error
    return outcome
  })
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
