import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { everyGroup } from '../../contract/accounts/identity-provider.ts'
import { projectRoles } from '../../contract/accounts/roles.ts'
import { useAccount } from '../account.ts'
import { Button } from '../ui/controls/button.tsx'
import { SelectField, TextField } from '../ui/controls/field.tsx'
import { Options } from '../ui/controls/options.tsx'
import { Icon } from '../ui/icon.tsx'
import { newMapping, type ProviderValues } from './provider-values.ts'

/** Which role the members of a group have, in which projects. */
export function MappingFields({ form: { control, register } }: { form: UseFormReturn<ProviderValues> }) {
  const { projects } = useAccount()
  const { fields, append, remove } = useFieldArray({ control, name: 'mappings' })
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-medium">Roles by group</legend>
      <p className="text-ink-2">
        Nobody gets in unless a row names one of their groups. Someone in several groups gets the most
        powerful role in each project. Roles follow the groups at each sign-in; only an owner, who is made by
        hand, keeps theirs. <code>{everyGroup}</code> stands for everyone whom the domains and groups above
        allow.
      </p>
      {fields.map(({ id }, index) => (
        <fieldset
          key={id}
          aria-label={`Mapping ${index + 1}`}
          className="grid grid-cols-1 items-end gap-2 rounded-md border border-line p-2 sm:grid-cols-[1fr_auto_auto_auto]"
        >
          <TextField label="Group" autoComplete="off" {...register(`mappings.${index}.group`)} />
          <SelectField label="Role" {...register(`mappings.${index}.role`)}>
            <Options of={projectRoles.map((role) => [role, role])} />
          </SelectField>
          <SelectField label="Projects" {...register(`mappings.${index}.project`)}>
            <Options
              of={[
                ['', 'All projects'],
                ...projects.map(({ id: project, name }) => [project, name] as const),
              ]}
            />
          </SelectField>
          <Button
            look="quiet"
            size="icon"
            aria-label={`Remove mapping ${index + 1}`}
            onClick={() => remove(index)}
          >
            <Icon name="close" />
          </Button>
        </fieldset>
      ))}
      <div>
        <Button onClick={() => append(newMapping)}>
          <Icon name="plus" /> Add a group
        </Button>
      </div>
    </fieldset>
  )
}
