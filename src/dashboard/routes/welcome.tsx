import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { isStatus } from '../api/problem.ts'
import { AccountForm } from '../accounts/account-form.tsx'
import { localPath } from '../../contract/accounts/local-path.ts'
import { searchParams } from '../format/search-params.ts'
import { userQuery } from '../queries/account.ts'
import { Button } from '../ui/controls/button.tsx'
import { Logo } from '../ui/icon.tsx'

/** Asks someone who signed in by a link for a name, an address and a password, so that they can sign in again. */
export const Route = createFileRoute('/welcome')({
  // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
  validateSearch: searchParams({ then: localPath }),
  loader: async ({ context: { queryClient } }) => {
    try {
      return await queryClient.ensureQueryData(userQuery)
    } catch (error) {
      throw isStatus(error, 401) ? redirect({ to: '/login' }) : error
    }
  },
  component: WelcomePage,
})

function WelcomePage() {
  const user = Route.useLoaderData()
  const { then: destination } = Route.useSearch()
  const { history } = useRouter()
  const goOn = () => history.push(destination ?? '/')
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col gap-5 px-4 pt-[12vh] pb-8">
      <title>Welcome · Spool</title>
      <div className="flex flex-col gap-2">
        <h1 className="flex items-center gap-2 text-xl tracking-tight">
          <Logo /> Welcome to Spool
        </h1>
        <p className="text-ink-2">
          You are signed in to {user.organization.name}. The link works only once. Enter an address and a
          password to sign in next time.
        </p>
      </div>
      <AccountForm user={user} submitLabel="Save and continue" onSaved={goOn}>
        <Button look="quiet" onClick={goOn}>
          Skip for now
        </Button>
      </AccountForm>
    </main>
  )
}
