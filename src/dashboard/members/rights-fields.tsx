import type { Rights } from '../../contract/accounts/roles.ts'
import { projectRoles, type ProjectRoles, type Role } from '../../contract/accounts/roles.ts'
import { useAccount } from '../account.ts'
import { CheckboxField, SelectField } from '../ui/controls/field.tsx'
import { Options } from '../ui/controls/options.tsx'
import { givableRoles, roleAbilities, roleLabels, withRole } from './role-words.ts'

type RightsFieldsProps = { rights: Rights; onChange: (rights: Rights) => void }

/** The fields of a role, and of the projects to which it is limited. */
export function RightsFields({ rights: { role, project_roles: limits }, onChange }: RightsFieldsProps) {
  const { scopes, projects } = useAccount()
  const limitTo = (id: number, chosen: string) => {
    const { [id]: _, ...others } = limits ?? {}
    const own = projectRoles.find((known) => known === chosen)
    onChange({ role, project_roles: own ? { ...others, [id]: own } : others })
  }
  return (
    <>
      <SelectField
        label="Role"
        value={role}
        hint={roleAbilities[role]}
        onChange={(event) => {
          const chosen = givableRoles(scopes).find((known) => known === event.target.value)
          if (chosen) onChange(withRole({ role, project_roles: limits }, chosen))
        }}
      >
        <Options of={givableRoles(scopes).map((known) => [known, roleLabels[known]])} />
      </SelectField>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1 font-medium">Projects</legend>
        <CheckboxField
          label="Only some projects"
          disabled={role === 'owner'}
          hint={
            role === 'owner'
              ? 'An owner works in all projects.'
              : 'Members limited to projects do not see each other, the audit log or settings of the organization.'
          }
          checked={limits !== null}
          onChange={(event) =>
            onChange({ role, project_roles: event.target.checked ? limitedTo(projects, role) : null })
          }
        />
        {limits !== null && (
          <div className="grid gap-2 sm:grid-cols-2">
            {projects.map(({ id, name }) => (
              <SelectField
                key={id}
                label={name}
                value={limits[id] ?? ''}
                onChange={(event) => limitTo(id, event.target.value)}
              >
                <Options
                  of={[['', 'No access'], ...projectRoles.map((own) => [own, roleLabels[own]] as const)]}
                />
              </SelectField>
            ))}
          </div>
        )}
      </fieldset>
    </>
  )
}

/** Returns why these rights cannot be given; null if they can. */
export function rightsReason({ project_roles: limits }: Rights): string | null {
  return limits !== null && Object.keys(limits).length === 0 ? 'Choose at least one project.' : null
}

/** The first project, with the member's own role, is where a limit begins. */
function limitedTo([first]: readonly { id: number }[], role: Role): ProjectRoles {
  const own = projectRoles.find((known) => known === role)
  return first && own ? { [first.id]: own } : {}
}
