import { useRouter } from '@tanstack/react-router'
import { useAccount } from '../account.ts'
import { useSwitchOrganization } from '../queries/organizations.ts'
import { Switcher } from '../ui/controls/switcher.tsx'
import { toastFailure } from '../ui/feedback/toasts.ts'
import type { RoutePath } from './pages.ts'

/** Fewest projects, and organizations, among which people search. */
const searchFrom = { projects: 6, organizations: 8 }

/** Switches the project, on the same page of it, and the organization. */
export function PlaceSwitchers({ current }: { current: RoutePath | undefined }) {
  const { projects, project, user } = useAccount()
  const { organization, organizations } = user
  const router = useRouter()
  const switchOrganization = useSwitchOrganization()
  const pageIn = (id: string) => ({ to: current ?? '/exports', search: { project: Number(id) } }) as const
  return (
    <div className="flex flex-col gap-1">
      <Switcher
        label="Organization"
        look="quiet"
        currentId={organization.id}
        options={organizations.toSorted((a, b) => a.name.localeCompare(b.name))}
        searchFrom={searchFrom.organizations}
        onChoose={(id) =>
          switchOrganization.mutate(id, { onError: toastFailure('The organization was not switched.') })
        }
      />
      <Switcher
        label="Project"
        look="field"
        currentId={String(project.id)}
        options={projects.map(({ id, name }) => ({
          id: String(id),
          name,
          href: router.buildLocation(pageIn(String(id))).href,
        }))}
        searchFrom={searchFrom.projects}
        onChoose={(id) => void router.navigate(pageIn(id))}
      />
    </div>
  )
}
