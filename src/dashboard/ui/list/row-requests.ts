import type { QueryClient } from '@tanstack/react-query'
import { isStatus } from '../../api/problem.ts'
import { sendEach, type Outcome } from '../../api/send-each.ts'
import { counted } from '../../words/amount.ts'
import { reportFailures } from '../feedback/failure-report.ts'
import { sendLater, type LaterVerb } from '../feedback/send-later.ts'
import { toast, toastFailure } from '../feedback/toasts.ts'
import type { OnProgress } from './list-action.ts'

/** How requests about the rows of a list are reported, and what they make stale. */
export type RequestKind<Row> = {
  client: QueryClient
  /** A row in words: "export". */
  one: string
  nameOf: (row: Row) => string
  /** One row by its name, several by their number. */
  named: (rows: readonly Row[]) => string
  /** Fetches what the requests have changed. */
  refresh: () => Promise<void>
}

type RowRequest<Row, Answer> = {
  /** What could not be done when requests fail: "paused". */
  undone: string
  send: (row: Row) => Promise<Answer>
  /** Performs the action again, for the rows whose requests failed. */
  again: (failed: readonly Row[]) => void
  /** Called with the changed rows, before the toast. */
  onDone?: (rows: readonly Row[]) => void
}

type RequestNow<Row, Answer> = RowRequest<Row, Answer> & {
  /** The toast: "Paused 3 exports." */
  done: (what: string) => string
  /** Offered in the toast. */
  undo?: (changed: readonly Row[]) => void
  /** Called with a row whose request failed: takes back what was shown in advance. */
  takeBack?: (row: Row) => void
  onProgress?: OnProgress | undefined
}

/** Sends a request for each row; toasts what has changed, with Undo, or the failure, with Retry. */
export async function sendNow<Row extends { id: string }, Answer>(
  kind: RequestKind<Row>,
  rows: readonly Row[],
  request: RequestNow<Row, Answer>,
): Promise<void> {
  const { undone, send, again, onDone, done, undo, takeBack, onProgress } = request
  try {
    const outcome = await sendToAll(kind, rows, {
      undone,
      again,
      onProgress,
      send: (row) =>
        send(row).catch((error: unknown) => {
          takeBack?.(row)
          throw error
        }),
    })
    const changed = outcome.done.map(({ item }) => item)
    onDone?.(changed)
    toast(done(kind.named(changed)), undo ? { undo: () => undo(changed) } : {})
  } catch (error) {
    const failed = toastFailure(`${kind.named(rows)} could not be ${undone}.`, () => again(rows))
    failed(error instanceof Error ? error : new Error(String(error)))
  }
}

type RequestLater<Row, Answer> = RowRequest<Row, Answer> & {
  verb: LaterVerb
  /** Shown with Undo until the requests are sent: "Deleting 3 exports". */
  label: string
  /** The toast when they are answered. */
  done: (answered: Outcome<Row, Answer>['done']) => string
}

/** Sends a request for each row in six seconds, unless that is undone. */
export function sendRowsLater<Row extends { id: string }, Answer>(
  kind: RequestKind<Row>,
  rows: readonly Row[],
  { verb, label, undone, send, again, onDone, done }: RequestLater<Row, Answer>,
): void {
  sendLater({
    verb,
    on: rows.map(({ id }) => id),
    label,
    failed: `${kind.named(rows)} could not be ${undone}.`,
    send: async () => {
      const outcome = await sendToAll(kind, rows, { undone, send, again })
      onDone?.(outcome.done.map(({ item }) => item))
      return outcome
    },
    done: (outcome) => done(outcome.done),
  })
}

type Sending<Row, Answer> = Pick<RequestNow<Row, Answer>, 'undone' | 'send' | 'again' | 'onProgress'>

/**
 * Sends a request for each row, refreshes, and reports the rows that failed when others did not.
 * @throws the first failure when every request failed, or a refused key.
 */
export async function sendToAll<Row extends { id: string }, Answer>(
  { client, one, nameOf, refresh }: Omit<RequestKind<Row>, 'named'>,
  rows: readonly Row[],
  { undone, send, again, onProgress }: Sending<Row, Answer>,
): Promise<Outcome<Row, Answer>> {
  // As a mutation, so that the mutation cache notices a refused key.
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
      title: `${failed.length} of ${counted(rows.length, one)} could not be ${undone}`,
      failures: failed.map(({ item, error }) => ({ id: item.id, name: nameOf(item), why: error.message })),
      retry: () => again(failed.map(({ item }) => item)),
    })
  return outcome
}
