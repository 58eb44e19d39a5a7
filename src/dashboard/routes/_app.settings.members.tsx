import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useAccount } from '../account.ts'
import { InviteTable } from '../members/invite-table.tsx'
import { MemberTable } from '../members/member-table.tsx'
import { RoleTable } from '../members/role-table.tsx'
import { manageReason } from '../members/role-words.ts'
import { invitesQuery, membersQuery } from '../queries/members.ts'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Section } from '../ui/section.tsx'

const InviteDialog = lazyNamed(() => import('../members/invite-dialog.tsx'), 'InviteDialog')

export const Route = createFileRoute('/_app/settings/members')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(membersQuery)
    void queryClient.prefetchQuery(invitesQuery)
  },
  component: MembersPage,
})

function MembersPage() {
  const { user } = useAccount()
  const members = useQuery(membersQuery)
  const invites = useQuery(invitesQuery)
  const [inviting, setInviting] = useState(false)
  const invite = (
    <Button look="primary" reason={manageReason(user.scopes)} onClick={() => setInviting(true)}>
      <Icon name="plus" /> Invite
    </Button>
  )
  const isAlone = members.data?.length === 1 && invites.data?.length === 0
  return (
    <>
      <PageHeader title="Members">{!isAlone && invite}</PageHeader>
      <p className="mt-1 mb-3.5 max-w-160 text-ink-2">
        Who works in {user.organization.name}, and what their role lets them do. A member can be limited to
        some projects.
      </p>
      <MemberTable rows={members.data} error={members.error} onRetry={() => void members.refetch()} />
      {isAlone && (
        <EmptyState title="Nobody else works here yet">
          <p>Invite someone: they choose a password, and see what their role allows.</p>
          {invite}
        </EmptyState>
      )}
      {invites.data && invites.data.length > 0 && (
        <Section title="Pending invites" className="mt-5">
          <InviteTable rows={invites.data} />
        </Section>
      )}
      {invites.error && !members.error && (
        <ProblemNote error={invites.error} onRetry={() => void invites.refetch()} />
      )}
      <RoleTable />
      <Suspense>{inviting && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </>
  )
}
