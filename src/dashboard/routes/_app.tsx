import {
  createFileRoute,
  Outlet,
  redirect,
  retainSearchParams,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import type { User } from '../../contract/accounts/user.ts'
import { isRefusal, isStatus } from '../api/problem.ts'
import { retrySignIn, signedIn, takeCameByLink } from '../api/session.ts'
import { noteShownUser, OtherOrganization, sessionElsewhere } from '../api/shown-session.ts'
import type { RoutePath } from '../shell/pages.ts'
import { scopesIn, userQuery } from '../queries/account.ts'
import { CommandKeys } from '../shell/command-keys.tsx'
import { Sidebar } from '../shell/sidebar.tsx'
import { LoadingAlone, ProblemAlone } from '../ui/feedback/whole-page.tsx'
import { integer, searchParams } from '../format/search-params.ts'
import { connection, useConnection } from '../api/connection.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useSelector } from '@tanstack/react-store'
import { Suspense } from 'react'
import { identityQuestion } from '../api/confirm-identity.ts'
import { lazyNamed } from '../ui/lazy-named.ts'

export const Route = createFileRoute('/_app')({
  validateSearch: searchParams({ project: integer }),
  search: { middlewares: [retainSearchParams(['project'])] },
  beforeLoad: async ({ context: { queryClient }, search, location }) => {
    try {
      retrySignIn()
      const step = await signedIn()
      // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
      if (step) throw redirect({ to: '/login', search: { then: location.href }, replace: true })
      const user = await queryClient.ensureQueryData(userQuery)
      if (takeCameByLink() && !user.has_password)
        // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
        throw redirect({ to: '/welcome', search: { then: location.href } })
      noteShownUser(user)
      const elsewhere = organizationElsewhere(user, search.project)
      if (elsewhere) throw new OtherOrganization(elsewhere)
      const chosen = chooseProject(user, search.project)
      // Addresses of someone with several organizations name the project, and thereby the organization.
      if (user.organizations.length > 1 && search.project === undefined)
        throw redirect({
          to: location.pathname as RoutePath,
          search: { ...location.search, project: chosen.project.id },
          hash: location.hash,
          replace: true,
        })
      return { user, ...chosen }
    } catch (error) {
      if (!isStatus(error, 401)) throw error
      throw redirect({
        to: '/login',
        // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
        search: { then: location.href, refused: isRefusal(error) },
        replace: true,
      })
    }
  },
  component: App,
  errorComponent: AppProblem,
  pendingComponent: LoadingAlone,
})

function chooseProject(user: User, wanted: number | undefined) {
  const { teams: projects } = user.organization
  const project = projects.find(({ id }) => id === wanted) ?? projects[0] ?? user.team
  return { projects, project, projectId: String(project.id), scopes: scopesIn(user, project) }
}

/** Returns the other organization of the user that has the project; undefined if none has. */
function organizationElsewhere({ organization, organizations }: User, project: number | undefined) {
  if (project === undefined || organization.teams.some(({ id }) => id === project)) return undefined
  return organizations.find(({ project_ids }) => project_ids.includes(project))
}

const OtherOrganizationPage = lazyNamed(
  () => import('../shell/other-organization.tsx'),
  'OtherOrganizationPage',
)

function AppProblem(props: ErrorComponentProps) {
  if (!(props.error instanceof OtherOrganization)) return <ProblemAlone {...props} />
  return (
    <Suspense>
      <OtherOrganizationPage organization={props.error.organization} />
    </Suspense>
  )
}

function App() {
  return (
    <CommandKeys>
      <div className="min-h-dvh md:grid md:grid-cols-[208px_minmax(0,1fr)] print:block">
        <a
          href="#main"
          className="sr-only z-20 rounded-md bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <Sidebar />
        <IdentityQuestion />
        <SessionElsewhere />
        <div className="min-w-0 md:flex md:flex-col print:block">
          <ConnectionBanner />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-430 flex-1 px-4 pt-4 pb-16 outline-none sm:px-6 print:max-w-none print:p-0"
          >
            <Outlet />
          </main>
        </div>
      </div>
    </CommandKeys>
  )
}

const ConfirmIdentityDialog = lazyNamed(
  () => import('../shell/confirm-identity-dialog.tsx'),
  'ConfirmIdentityDialog',
)

/** Shows the dialog in which the user confirms their identity when the service asks for that. */
function IdentityQuestion() {
  const answer = useSelector(identityQuestion)
  return <Suspense>{answer && <ConfirmIdentityDialog answer={answer} />}</Suspense>
}

const SessionElsewhereDialog = lazyNamed(
  () => import('../shell/session-dialogs.tsx'),
  'SessionElsewhereDialog',
)

/** Says when another tab has changed the session. */
function SessionElsewhere() {
  const doubts = useSelector(sessionElsewhere)
  return <Suspense>{doubts > 0 && <SessionElsewhereDialog doubts={doubts} />}</Suspense>
}

/** Shown while the service does not respond. */
function ConnectionBanner() {
  const state = useConnection()
  return (
    <output className="sticky block top-0 z-10 print:hidden">
      {state !== 'up' && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-short bg-raised px-4 py-1.5 sm:px-6">
          <span className="text-short-ink">
            <Icon name="alert" />
          </span>
          <p className="min-w-0 flex-1">
            <strong className="font-semibold">
              {state === 'offline' ? 'This device is offline.' : 'The service does not respond.'}
            </strong>{' '}
            This page may be out of date. It reconnects automatically, and nothing that you typed is lost.
          </p>
          <Button onClick={() => void connection.probe()}>Try now</Button>
        </div>
      )}
    </output>
  )
}
