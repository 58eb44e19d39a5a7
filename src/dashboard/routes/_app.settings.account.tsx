import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Session } from '../../contract/accounts/session.ts'
import { useAccount } from '../account.ts'
import { AccountForm } from '../accounts/account-form.tsx'
import { PasskeysSection } from '../accounts/passkeys-section.tsx'
import { SecondFactorSection } from '../accounts/second-factor-section.tsx'
import { LeaveButton } from '../members/leave-button.tsx'
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../queries/sessions.ts'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RelativeTime } from '../ui/time.tsx'

export const Route = createFileRoute('/_app/settings/account')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(sessionsQuery)
  },
  component: AccountPage,
})

function AccountPage() {
  const { user } = useAccount()
  return (
    <>
      <PageHeader title="Your account" />
      <p className="mt-1 mb-4 max-w-160 text-ink-2">
        {user.key
          ? `You are signed in with the API key “${user.key.label}”. To change your name, address or password, sign in without a key.`
          : `You are ${user.role ?? 'a member'} of ${user.organization.name}.`}
      </p>
      {!user.key && (
        <section aria-label="Name and password" className="mb-8 max-w-96">
          <AccountForm user={user} submitLabel="Save" onSaved={() => toast('Saved your account.')} />
        </section>
      )}
      {!user.key && <SecondFactorSection />}
      {!user.key && <PasskeysSection />}
      <Sessions />
      <section aria-labelledby="leave" className="mt-8 flex max-w-160 flex-wrap items-center gap-3">
        <div className="flex-1">
          <h2 id="leave" className="text-base font-semibold wrap-anywhere">
            Leave {user.organization.name}
          </h2>
          <p className="text-ink-2">
            Your sessions and personal keys for it end; exports and keys of the organization stay.
          </p>
        </div>
        <LeaveButton />
      </section>
    </>
  )
}

function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const endOthers = useEndOtherSessions()
  const others = sessions.data?.filter(({ is_current }) => !is_current).length ?? 0
  return (
    <section aria-labelledby="sessions">
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <h2 id="sessions" className="flex-1 text-base font-semibold">
          Where you are signed in
        </h2>
        <Button
          reason={others === 0 ? 'You are signed in only here.' : null}
          busy={endOthers.isPending}
          onClick={() =>
            endOthers.mutate(undefined, { onSuccess: () => toast('Signed out everywhere else.') })
          }
        >
          Sign out everywhere else
        </Button>
      </div>
      <DataTable
        caption="Sessions"
        columns={columns}
        rows={sessions.data}
        rowKey={(row) => row.id}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={<EmptyState title="No sessions" />}
      />
    </section>
  )
}

const methods: Record<Session['method'], string> = {
  password: 'password',
  link: 'link',
  provider: 'identity provider',
  passkey: 'passkey',
  key: 'API key',
}

const factors: Record<NonNullable<Session['second_factor']>, string> = {
  app: 'code',
  recovery_code: 'recovery code',
}

function signedInWith({ method, second_factor }: Session): string {
  return second_factor ? `${methods[method]} and ${factors[second_factor]}` : methods[method]
}

const columns: Column<Session>[] = [
  {
    header: 'Browser',
    fills: true,
    wraps: true,
    cell: (row) => (
      <>
        <span className="font-medium">{row.device}</span>
        {row.is_current && <span className="ml-2 text-xs text-ink-3">this one</span>}
      </>
    ),
  },
  { header: 'Address', hiddenBelow: 'sm', cell: (row) => <span className="mono">{row.address}</span> },
  { header: 'Signed in with', hiddenBelow: 'md', cell: signedInWith },
  { header: 'Signed in', hiddenBelow: 'md', cell: (row) => <RelativeTime time={row.created_at} /> },
  { header: 'Last used', cell: (row) => <RelativeTime time={row.last_used_at} /> },
  { header: 'Actions', silent: true, end: true, cell: (row) => !row.is_current && <EndSession row={row} /> },
]

function EndSession({ row }: { row: Session }) {
  const end = useEndSession()
  return (
    <Button
      look="quiet"
      busy={end.isPending}
      onClick={() => end.mutate(row.id, { onSuccess: () => toast(`Signed out ${row.device}.`) })}
    >
      Sign out
    </Button>
  )
}
