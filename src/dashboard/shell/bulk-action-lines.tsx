import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import { useId, useState } from 'react'
import { scopeOfAction, type BulkAction } from '../../contract/bulk-action.ts'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { bulkActionQuery, bulkActionsQuery, isInProgress, showBulkAction } from '../queries/bulk-actions.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { ProgressBar } from '../ui/feedback/progress.tsx'
import { toasts, toastFailure } from '../ui/feedback/toasts.ts'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { useNow } from '../ui/use-now.ts'
import { count, counted } from '../format/amount.ts'
import {
  bulkActionInWords,
  bulkActionNotes,
  bulkActionProgress,
  bulkFailuresInWords,
} from '../format/bulk-action.ts'
import { call } from '../api/call.ts'
import { isStatus } from '../api/problem.ts'

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

/**
 * Shows the last action of the user, if it is in progress, can be undone, or has ended while the page was open; lists the other
 * such actions. An action of someone else is shown only while it is in progress.
 */
export function BulkActionLines({ projectId, recent }: { projectId: string; recent: readonly BulkAction[] }) {
  const { name } = useAccount()
  const [isOpen, open] = useState(false)
  const hidden = useSelector(closed)
  const visible = recent.filter(({ id }) => !hidden.has(id))
  const shown = useNow((now) =>
    visible.flatMap((action) => (isShown(action, now) ? action.id : [])).join(),
  ).split(',')
  const actions = visible.filter(({ id }) => shown.includes(id))
  const own = recent.find(({ by }) => by === name)
  const last = actions.find((action) => action === own) ?? actions.find(isInProgress)
  const others = actions.filter((action) => action !== last)
  const running = others.filter(isInProgress).length
  return (
    <>
      {last && <BulkActionLine key={last.id} projectId={projectId} action={last} isLast />}
      {others.length > 0 && (
        <div className="border-t border-line px-1.5 py-1">
          <Button look="quiet" aria-haspopup="dialog" onClick={() => open(true)}>
            {counted(others.length, last ? 'other action' : 'recent action')}
            {running > 0 && `, ${count(running)} in progress`}
          </Button>
        </div>
      )}
      {isOpen && others.length > 0 && (
        <Dialog title={last ? 'Other bulk actions' : 'Recent bulk actions'} onClose={() => open(false)}>
          <ul className="-mx-4 -mt-4.25">
            {others.map((action) => (
              <li key={action.id}>
                <BulkActionLine projectId={projectId} action={action} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

/** Results without Undo are shown if the action has ended while the page was open. */
function isShown(action: BulkAction, now: number) {
  const { finished_at: end, undo_until: until } = action
  if (isInProgress(action)) return true
  if (until !== null) return now < Date.parse(until)
  return end !== null && Date.parse(end) > performance.timeOrigin
}

type BulkActionLineProps = { projectId: string; action: BulkAction; isLast?: boolean }

function BulkActionLine({ projectId, action, isLast = false }: BulkActionLineProps) {
  const { scopes, name } = useAccount()
  const [failuresOpen, openFailures] = useState(false)
  const { mutate: undo, isPending } = useUndoBulkAction(projectId)
  const textId = useId()
  const { id, status } = action
  const failures = bulkFailuresInWords(action)
  const scope = scopeOfAction(action.action)
  const reason = scopeReason(scopes, scope)
  const isRunning = isInProgress(action)
  const canUndo = status === 'Running' || action.undo_until !== null
  const { value, max } = bulkActionProgress(action)
  // A toast's Undo belongs to a newer action.
  const toastUndo = useSelector(toasts, (current) => current.some((toast) => toast.undo !== undefined))
  const key = isLast && canUndo && !toastUndo
  useKeys({ 'mod+z': key ? { does: 'Undo the last bulk action', run: () => undo(id), reason } : null }, 'app')
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-4 py-2.5">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <output id={textId}>
            {bulkActionInWords(action)} <span className="text-ink-3">{bulkActionNotes(action)}</span>
          </output>
          <span className="block text-xs text-ink-3">
            <RelativeTime time={action.created_at} />
            {action.by !== name && ` by ${action.by}`}
          </span>
        </div>
        {!isRunning && (
          <Button look="quiet" size="icon" aria-label="Hide this result" onClick={() => close(id)}>
            <Icon name="close" />
          </Button>
        )}
      </div>
      {isRunning && max > 0 && (
        <span className="flex items-center gap-2 text-xs whitespace-nowrap text-ink-2">
          <ProgressBar className="w-0 flex-1" label="Progress" value={value} max={max} />
          {count(value)} of {count(max)}
        </span>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {canUndo && (
          <Button
            aria-describedby={textId}
            title={status === 'Running' ? 'Stop, and undo what was done so far' : undefined}
            reason={reason}
            busy={isPending}
            onClick={() => undo(id)}
          >
            {status === 'Running' ? 'Cancel' : 'Undo'}
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

/**
 * Returns a mutation that stops a bulk action and undoes what it has done. The action may have ended since the page was told
 * that it runs.
 */
function useUndoBulkAction(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = bulkActionsQuery(projectId)
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        const action = await call('undoBulkAction', { params: { project_id: projectId, id }, body: {} })
        await showBulkAction(client, projectId, action)
      } catch (error) {
        const refreshed = client.invalidateQueries({ queryKey })
        if (!isStatus(error, 409)) throw error
        await refreshed
        const action = client.getQueryData(queryKey)?.results.find((other) => other.id === id)
        // Another tab has undone it, or it has changed nothing: the page now says so.
        if (action?.undo_until !== null) throw error
      }
    },
    onError: toastFailure('The bulk action could not be undone.'),
  })
}
