import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useFormContext } from 'react-hook-form'
import { scopeReason } from '../../../contract/accounts/scopes.ts'
import type { IntegrationKindName } from '../../../contract/destinations/integration-kind-names.ts'
import type { Integration } from '../../../contract/integrations/integration.ts'
import { useAccount } from '../../account.ts'
import { integrationsQuery } from '../../queries/exports/integrations.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SelectField } from '../../ui/controls/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'
import { RelativeTime } from '../../ui/time.tsx'
import type { ExportValues } from '../values/export-values.ts'
import { useField } from './use-field.ts'

const ConnectionDialog = lazyNamed(
  () => import('../../connections/connection-dialog.tsx'),
  'ConnectionDialog',
)

type ConnectionFieldProps = {
  kind: IntegrationKindName
  /** The fields of a connection can be entered in the form instead. */
  isOptional: boolean
}

/** Chooses one of the project's connections, or creates one. */
export function ConnectionField({ kind, isOptional }: ConnectionFieldProps) {
  const { projectId, scopes } = useAccount()
  const { setValue, watch } = useFormContext<ExportValues>()
  const { data, error } = useQuery(integrationsQuery(projectId))
  const [creating, setCreating] = useState(false)
  const field = useField()('destination.integration_id')
  const all = data?.results.filter((each) => each.kind === kind) ?? []
  const chosen = watch('destination.integration_id')
  const found = all.find(({ id }) => String(id) === chosen)
  const choose = ({ id }: Integration) =>
    setValue('destination.integration_id', String(id), { shouldDirty: true, shouldValidate: true })
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="min-w-56 flex-1">
        <SelectField
          // The options of a select without React's value must exist before one is chosen.
          key={`${kind} ${all.length} ${chosen}`}
          label="Connection"
          hint={<Hint chosen={found} isEmpty={data !== undefined && all.length === 0} failure={error} />}
          {...field}
        >
          <option value="">
            {isOptional ? 'none: enter address and secrets below' : 'choose a connection'}
          </option>
          {chosen !== '' && !found && <option value={chosen}>Connection {chosen}</option>}
          {all.map(({ id, display_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="pt-6">
        <Button reason={scopeReason(scopes, 'integration:write')} onClick={() => setCreating(true)}>
          <Icon name="plus" /> New connection
        </Button>
      </div>
      <Suspense>
        {creating &&
          // A form cannot be inside another one.
          createPortal(
            <ConnectionDialog kind={kind} onClose={() => setCreating(false)} onCreated={choose} />,
            document.body,
          )}
      </Suspense>
    </div>
  )
}

type HintProps = { chosen: Integration | undefined; isEmpty: boolean; failure: Error | null }

/** Says where the chosen connection leads and whether it works. */
function Hint({ chosen, isEmpty, failure }: HintProps) {
  if (failure) return failure.message
  if (isEmpty) return 'This project has no connection of this kind yet: create one.'
  if (!chosen) return 'Holds the address and the secrets; many exports can use it.'
  const { address, errors, last_worked_at: worked } = chosen
  return (
    <>
      <span className="wrap-anywhere">{address}</span>
      {errors === '' ? null : <span className="text-fail-ink"> · failing</span>}
      {worked !== null && (
        <>
          {' '}
          · last worked <RelativeTime time={worked} />
        </>
      )}
    </>
  )
}
