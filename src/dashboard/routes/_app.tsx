import { createFileRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router'
import { z } from 'zod'
import type { PersonalApiKey, User } from '../../contract/api-key.ts'
import { isStatus } from '../api/problem.ts'
import { currentKeyQuery, userQuery } from '../queries/account.ts'
import { Sidebar } from '../navigation/sidebar.tsx'
import { LoadingAlone, ProblemAlone } from '../ui/whole-page.tsx'

export const Route = createFileRoute('/_app')({
  validateSearch: z.object({ project: z.int().optional().catch(undefined) }),
  search: { middlewares: [retainSearchParams(['project'])] },
  beforeLoad: async ({ context: { queryClient, session }, search, location }) => {
    const toLogin = (refused?: true) =>
      // oxlint-disable-next-line unicorn/no-thenable -- a text in the address, nobody awaits it
      redirect({ to: '/login', search: { then: location.href, refused }, replace: true })
    if (session.key() === null) throw toLogin()
    try {
      const [user, apiKey] = await Promise.all([
        queryClient.ensureQueryData(userQuery),
        queryClient.ensureQueryData(currentKeyQuery),
      ])
      return { user, apiKey, ...chooseProject(user, apiKey, search.project) }
    } catch (error) {
      if (isStatus(error, 401)) throw toLogin(true)
      throw error
    }
  },
  component: App,
  errorComponent: ProblemAlone,
  pendingComponent: LoadingAlone,
})

function chooseProject(user: User, apiKey: PersonalApiKey, wanted: number | undefined) {
  const { teams } = user.organization
  const projects = teams.filter(({ id }) => apiKey.scoped_teams?.includes(id) ?? true)
  const project = projects.find(({ id }) => id === wanted) ?? projects[0] ?? user.team
  return { projects, project, projectId: String(project.id) }
}

function App() {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[208px_minmax(0,1fr)]">
      <a href="#main" className="sr-only focus:not-sr-only">
        Skip to content
      </a>
      <Sidebar />
      <main id="main" tabIndex={-1} className="min-w-0 px-4 pt-4 pb-16 outline-none sm:px-6">
        <Outlet />
      </main>
    </div>
  )
}
