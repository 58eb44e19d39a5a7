import { useQuery } from '@tanstack/react-query'
import { userQuery } from '../queries/account.ts'
import { useSwitchOrganization } from '../queries/organizations.ts'
import { Button } from '../ui/controls/button.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'

/** Shown instead of a page of another organization of the user: opening a link alone does not switch. */
export function OtherOrganizationPage({ organization }: { organization: { id: string; name: string } }) {
  const { data: user } = useQuery(userQuery)
  const open = useSwitchOrganization(location.pathname + location.search)
  return (
    <main className="mx-auto flex max-w-120 flex-col items-start gap-3 px-4 py-16">
      <title>Another organization · Spool</title>
      <h1 className="text-xl wrap-anywhere">This page belongs to {organization.name}</h1>
      <p className="text-ink-2 wrap-anywhere">You now work in {user?.organization.name}, in all tabs.</p>
      {open.error && <ProblemNote error={open.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={open.isPending} onClick={() => open.mutate(organization.id)}>
          Switch
        </Button>
        <Button onClick={() => location.assign('/')}>Stay</Button>
      </div>
    </main>
  )
}
