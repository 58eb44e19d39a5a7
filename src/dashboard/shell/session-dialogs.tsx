import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { sessionElsewhere, shownUser } from '../api/shown-session.ts'
import { memberName } from '../../contract/accounts/member-name.ts'
import type { User } from '../../contract/accounts/user.ts'
import { actorIdOf } from '../queries/account.ts'
import { useSwitchOrganization } from '../queries/organizations.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'

/** Says that another tab has switched the organization or the user, which this one still shows, unless both agree again. */
export function SessionElsewhereDialog({ doubts }: { doubts: number }) {
  const close = () => sessionElsewhere.set(() => 0)
  const { data: user } = useQuery({
    queryKey: ['session elsewhere', doubts],
    queryFn: () => call('getUser', {}),
    gcTime: 0,
    staleTime: 0,
  })
  const shown = shownUser()
  if (!user || !shown || isSame(user, shown)) return null
  return <Elsewhere user={user} shown={shown} onClose={close} />
}

function isSame(user: User, shown: User): boolean {
  return user.organization.id === shown.organization.id && actorIdOf(user) === actorIdOf(shown)
}

type ElsewhereProps = { user: User; shown: User; onClose: () => void }

function Elsewhere({ user, shown, onClose }: ElsewhereProps) {
  const { name } = user.organization
  const back = useSwitchOrganization(location.pathname + location.search)
  const isOther = actorIdOf(user) !== actorIdOf(shown)
  const canReturn =
    user.organization.id !== shown.organization.id &&
    user.organizations.some(({ id }) => id === shown.organization.id)
  return (
    <Dialog
      title={isOther ? `You are now signed in as ${nameOf(user)}` : `You now work in ${name}`}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p className="text-ink-2">
          {isOther
            ? `Another tab has signed in again. This one still shows what ${nameOf(shown)} sees in ${shown.organization.name}.`
            : `Another tab has switched. This one still shows ${shown.organization.name}, where nothing can be changed now.`}
        </p>
        {back.error && <ProblemNote error={back.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          {canReturn && (
            <Button busy={back.isPending} onClick={() => back.mutate(shown.organization.id)}>
              Switch back
            </Button>
          )}
          <Button look="primary" onClick={() => location.assign('/')}>
            Reload
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

export function nameOf(user: User): string {
  return user.key ? `the API key “${user.key.label}”` : memberName(user)
}
