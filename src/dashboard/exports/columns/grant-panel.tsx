import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { tableDefaults } from '../../../contract/destinations/tables/table-defaults.ts'
import { useAccount } from '../../account.ts'
import { integrationsQuery } from '../../queries/exports/integrations.ts'
import type { ExportValues } from '../values/export-values.ts'
import { Script } from './script.tsx'

/** Shows the statements that give the destination's user its rights, with the names in the form. */
export function GrantPanel() {
  const { projectId } = useAccount()
  const { watch } = useFormContext<ExportValues>()
  const { data } = useQuery(integrationsQuery(projectId))
  const { type, config, integration_id } = watch('destination')
  const chosen = data?.results.find(({ id }) => String(id) === integration_id)
  const user = chosen ? chosen.config['user'] : config.user
  const lines = destinationKinds[type].grantScript?.({
    database: config.database || 'DATABASE',
    schema: config.schema || tableDefaults.schema,
    table: config.table_name || tableDefaults.table_name,
    user: typeof user === 'string' && user !== '' ? user : 'USER',
  })
  return lines ? (
    <Script title="Statements that grant the user its rights" text={`${lines.join('\n')}\n`} />
  ) : null
}
