import { useQueryClient } from '@tanstack/react-query'
import type { FailureCauseGroup } from '../../../contract/runs/failure-cause.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { Assignee } from '../../../contract/triage.ts'
import { useAccount } from '../../account.ts'
import { usePreferences } from '../../format/preferences.ts'
import { briefTime } from '../../format/time.ts'
import { assign, triage, useAssignees, type TriageContext } from '../../queries/triage.ts'
import { AssigneeMenu, type PickerProps } from '../../ui/assignee/assignee-menu.tsx'
import { AssigneePicker } from '../../ui/assignee/assignee-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { useNow } from '../../ui/use-now.ts'

const dayMs = 86_400_000
const ignoreFor = [
  ['a day', dayMs],
  ['a week', 7 * dayMs],
  ['30 days', 30 * dayMs],
] as const

/** Shows who works on a cause of failures, assigns it, and ignores it for a time. */
export function TriageCause({ cause }: { cause: FailureCauseGroup }) {
  const { projectId, scopes, me } = useAccount()
  const { zone } = usePreferences()
  const now = useNow((at) => at)
  const client = useQueryClient()
  const { key, title, assignee, state, ignored_until: until } = cause
  const reason = writeReason(scopes)
  const context = { client, projectId, cause }
  const assignTo = (to: Assignee | null) => void assignCause(context, to)
  usePaletteActions(
    me ? [{ id: `assign ${key}`, label: 'Assign to me', hint: title, reason, run: () => assignTo(me) }] : [],
  )
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <AssigneeMenu of={title} reason={reason} Picker={CausePicker} assignee={assignee} onChoose={assignTo} />
      {state === 'open' ? (
        <Menu
          label={`Ignore ${title}`}
          items={ignoreFor.map(([words, length]) => ({
            label: `Ignore for ${words}`,
            reason,
            onSelect: () => void ignoreCause(context, new Date(Date.now() + length).toISOString(), words),
          }))}
        >
          Ignore
        </Menu>
      ) : (
        <>
          <span className="text-ink-3">
            Ignored{until !== null && ` until ${briefTime(Date.parse(until), zone, now)}`}
          </span>
          <Button look="quiet" reason={reason} onClick={() => void reopenCause(context)}>
            Reopen
          </Button>
        </>
      )}
    </div>
  )
}

function CausePicker(props: PickerProps) {
  const { projectId, user } = useAccount()
  return <AssigneePicker me={user.uuid} {...useAssignees('problemAssignees', projectId)} {...props} />
}

type Context = TriageContext & { cause: FailureCauseGroup }

const keyOf = ({ key }: FailureCauseGroup) => key

function assignCause({ cause, ...context }: Context, assignee: Assignee | null): Promise<void> {
  return assign(context, {
    list: 'failureCauses',
    rows: [cause],
    keyOf,
    assignee,
    failed: 'The problem could not be assigned.',
    done: assignee ? `Assigned to ${assignee.name}.` : 'The problem is unassigned now.',
  })
}

function ignoreCause({ cause, ...context }: Context, until: string, words: string): Promise<void> {
  return triage(context, {
    list: 'failureCauses',
    rows: [cause],
    keyOf,
    change: { state: 'ignored', ignored_until: until },
    before: () => ({ state: 'open' }),
    failed: 'The problem could not be ignored.',
    done: `Ignored for ${words}.`,
  })
}

function reopenCause({ cause, ...context }: Context): Promise<void> {
  const { ignored_until: until } = cause
  return triage(context, {
    list: 'failureCauses',
    rows: [cause],
    keyOf,
    change: { state: 'open' },
    before: () => (until === null ? { state: 'open' } : { state: 'ignored', ignored_until: until }),
    failed: 'The problem could not be reopened.',
    done: 'Reopened.',
  })
}
