import { Integration } from '../../../contract/integrations/integration.ts'
import type { ListedIntegration } from '../../store/runs/integrations.ts'
import { shownAs } from '../shown-as.ts'

/** Returns a connection as the API shows it. */
export function showIntegration(row: ListedIntegration): Integration {
  const { last_worked_at: worked, last_failed_at: failed } = row
  const hasFailed = failed !== null && (worked === null || worked < failed)
  return shownAs(Integration, {
    ...row,
    created_by: row.creator,
    errors: hasFailed ? (row.last_error ?? '') : '',
    display_name: row.name,
  })
}
