import { getRouteApi } from '@tanstack/react-router'
import type { PersonalApiKey, User } from '../contract/accounts/api-key.ts'

const app = getRouteApi('/_app')

type Context = {
  user: User
  apiKey: PersonalApiKey
  project: User['team']
  projects: User['organization']['teams']
  projectId: string
}
type Account = Context & { scopes: readonly string[] }

let cached: Account | null = null

/** Returns the user, key and current project; the same object until they change, so that navigation re-renders no rows. */
export function useAccount(): Account {
  return app.useRouteContext({ select: accountOf })
}

function accountOf({ user, apiKey, project, projects, projectId }: Context): Account {
  if (cached?.user !== user || cached.apiKey !== apiKey || cached.project !== project)
    cached = { user, apiKey, project, projects, projectId, scopes: apiKey.scopes }
  return cached
}
