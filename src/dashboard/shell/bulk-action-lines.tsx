import { useQuery } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import { useCallback, useState } from 'react'
import { isBulkActionInProgress, scopeOfAction, type BulkAction } from '../../contract/bulk-action.ts'
import { allowsScope, missingScope } from '../../contract/scopes.ts'
import { useAccount } from '../account.ts'
import { bulkActionQuery, useStopBulkAction } from '../queries/bulk-actions.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { toastFailure, toasts } from '../ui/feedback/toasts.ts'
import { Icon } from '../ui/icon.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { useNow } from '../ui/use-now.ts'
import { count } from '../words/amount.ts'
import { bulkActionInWords, bulkActionNotes, bulkFailuresInWords } from '../words/bulk-action.ts'

/** Ids of the actions that the user has closed in this browser. */
const closed = createAtom<ReadonlySet<string>>(readClosed())
const closedKey = 'spool.closed-bulk-actions'
/** Ids remembered, at most. */
const closedMax = 50

function readClosed(): ReadonlySet<string> {
  return new Set((localStorage.getItem(closedKey) ?? '').split(' '))
}

function close(id: string): void {
  const ids = [...readClosed(), id].slice(-closedMax)
  localStorage.setItem(closedKey, ids.join(' '))
  closed.set(new Set(ids))
}

type BulkActionLinesProps = { projectId: string; recent: readonly BulkAction[] }

/** Shows the actions that are in progress or can be undone, and the results that arrived while the page was open. */
export function BulkActionLines({ projectId, recent }: BulkActionLinesProps) {
  const hidden = useSelector(closed)
  const shown = useNow(
    useCallback(
      (now: number) =>
        recent
          .filter((action) => !hidden.has(action.id) && isShown(action, now))
          .map(({ id }) => id)
          .join(),
      [recent, hidden],
    ),
  ).split(',')
  const actions = recent.filter(({ id }) => shown.includes(id))
  const undoable = actions.find(({ undo_until: until }) => until !== null)
  const { mutate: stop } = useStopBulkAction(projectId)
  const undo = undoable && {
    does: 'Undo the last bulk action',
    run: () =>
      stop(
        { id: undoable.id, how: 'undo' },
        { onError: toastFailure('The bulk action could not be undone.') },
      ),
  }
  // A toast's Undo belongs to a newer action.
  const toastUndo = useSelector(toasts, (current) => current.some((toast) => toast.undo !== undefined))
  useKeys({ 'mod+z': toastUndo ? null : undo }, 'app')
  return actions.map((action) => <BulkActionLine key={action.id} projectId={projectId} action={action} />)
}

/** Results without Undo are shown if the action has ended while the page was open. */
function isShown({ status, finished_at: end, undo_until: until }: BulkAction, now: number) {
  if (isBulkActionInProgress(status)) return true
  if (until !== null) return now < Date.parse(until)
  return end !== null && Date.parse(end) > performance.timeOrigin
}

function BulkActionLine({ projectId, action }: { projectId: string; action: BulkAction }) {
  const { scopes } = useAccount()
  const [failuresOpen, openFailures] = useState(false)
  const stop = useStopBulkAction(projectId)
  const { id, status, total, done, failed, undone, unchanged, not_undone: notUndone } = action
  const failures = bulkFailuresInWords(action)
  const scope = scopeOfAction(action.action)
  const reason = allowsScope(scopes, scope) ? null : missingScope(scope)
  const isRunning = isBulkActionInProgress(status)
  const [ended, of] = status === 'Undoing' ? [undone + notUndone, done - unchanged] : [done + failed, total]
  const request = (how: 'cancel' | 'undo') => () =>
    stop.mutate(
      { id, how },
      { onError: toastFailure(`The bulk action could not be ${how === 'cancel' ? 'cancelled' : 'undone'}.`) },
    )
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-4 py-2.5">
      <div className="flex items-start gap-1">
        <output className="min-w-0 flex-1">
          {bulkActionInWords(action)} <span className="text-ink-3">{bulkActionNotes(action)}</span>
        </output>
        {!isRunning && (
          <Button look="quiet" size="icon" aria-label="Hide this result" onClick={() => close(id)}>
            <Icon name="close" />
          </Button>
        )}
      </div>
      {isRunning && (
        <span className="flex items-center gap-2 text-xs whitespace-nowrap text-ink-2">
          <progress className="progress-bar w-0 flex-1" aria-label="Progress" value={ended} max={of} />
          {count(ended)} of {count(of)}
        </span>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {status === 'Running' && (
          <Button reason={reason} busy={stop.isPending} onClick={request('cancel')}>
            Cancel
          </Button>
        )}
        {!isRunning && action.undo_until !== null && (
          <Button reason={reason} busy={stop.isPending} onClick={request('undo')}>
            Undo
          </Button>
        )}
        {failures && (
          <Button look="quiet" onClick={() => openFailures(true)}>
            <span className="text-fail-ink">{failures}</span>
          </Button>
        )}
      </div>
      {failuresOpen && <Failures projectId={projectId} action={action} onClose={() => openFailures(false)} />}
    </div>
  )
}

type FailuresProps = { projectId: string; action: BulkAction; onClose: () => void }

/** Lists the first objects that failed, with the reasons. */
function Failures({ projectId, action, onClose }: FailuresProps) {
  const { data, error, refetch } = useQuery(bulkActionQuery(projectId, action.id))
  const more = action.failed + action.not_undone - (data?.failures.length ?? 0)
  return (
    <Dialog title={bulkFailuresInWords(action)} onClose={onClose}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <ul className="max-h-[50dvh] overflow-y-auto">
        {data?.failures.map(({ id, name, reason }) => (
          <li key={id} className="border-b border-line py-1.5 wrap-anywhere">
            <span className="font-medium">{name}</span>
            <span className="block text-ink-2">{reason}</span>
          </li>
        ))}
        {data && more > 0 && <li className="py-1.5 text-ink-3">{count(more)} more.</li>}
      </ul>
    </Dialog>
  )
}
