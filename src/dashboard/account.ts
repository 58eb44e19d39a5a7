import { getRouteApi } from '@tanstack/react-router'
import { memberName } from '../contract/accounts/member-name.ts'
import type { User } from '../contract/accounts/user.ts'
import type { Assignee } from '../contract/triage.ts'
import { actorIdOf, scopesIn } from './queries/account.ts'

const app = getRouteApi('/_app')

type Context = {
  user: User
  project: User['team']
  projects: User['organization']['teams']
  projectId: string
}
type Account = Context & {
  /** What the user may do in the project. */
  scopes: readonly string[]
  /** The name under which the service shows what the user does. */
  name: string
  /** The user as an assignee; null for a key of the organization, which can have no assignments. */
  me: Assignee | null
  /** Who the service takes the user for: the key with which they signed in, or themselves. */
  actorId: string
}

let cached: Account | null = null

/** Returns the user and current project; the same object until they change, so that navigation re-renders no rows. */
export function useAccount(): Account {
  return app.useRouteContext({ select: accountOf })
}

function accountOf({ user, project, projects, projectId }: Context): Account {
  if (cached?.user !== user || cached.project !== project)
    cached = {
      user,
      project,
      projects,
      projectId,
      scopes: scopesIn(user, project),
      name: user.key?.label ?? memberName(user),
      me: user.role && { uuid: user.uuid, name: memberName(user) },
      actorId: actorIdOf(user),
    }
  return cached
}
