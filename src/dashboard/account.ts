import { getRouteApi } from '@tanstack/react-router'
import type { PersonalApiKey, User } from '../contract/api-key.ts'

const app = getRouteApi('/_app')

type Context = {
  user: User
  apiKey: PersonalApiKey
  project: User['team']
  projects: User['organization']['teams']
  projectId: string
}
type Account = Context & { scopes: readonly string[] }

let known: Account | null = null

/** Who is signed in and which project is shown; another address alone makes no new one of it, so that no row is drawn again. */
export function useAccount(): Account {
  return app.useRouteContext({ select: accountOf })
}

function accountOf({ user, apiKey, project, projects, projectId }: Context): Account {
  if (known?.user !== user || known.apiKey !== apiKey || known.project !== project)
    known = { user, apiKey, project, projects, projectId, scopes: apiKey.scopes }
  return known
}
