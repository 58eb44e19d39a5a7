import { getRouteApi } from '@tanstack/react-router'

const app = getRouteApi('/_app')

/** Who is signed in and which project is shown. */
export function useAccount() {
  return app.useRouteContext({
    select: ({ user, apiKey, project, projects, projectId }) => ({
      user,
      apiKey,
      project,
      projects,
      projectId,
      scopes: apiKey.scopes,
    }),
  })
}
