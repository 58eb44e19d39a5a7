import { createOrganization, type NewOrganization } from '../src/service/auth/new-organization.ts'
import { withStore } from './connect-store.ts'
import type { RunningService } from './service.ts'

/** Creates an organization like `admin organization create`, but without starting a process, which takes half a second. */
export function createTenant(service: RunningService, name: string): Promise<NewOrganization> {
  const names = { name, projectName: 'My project', keyLabel: 'First key' }
  return withStore(service, (store) =>
    store.transaction().execute((transaction) => createOrganization(transaction, Date.now(), names)),
  )
}
