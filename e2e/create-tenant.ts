import { Pool } from 'pg'
import { createOrganization, type NewOrganization } from '../src/service/auth/new-organization.ts'
import { openStore } from '../src/service/store/schema/database.ts'
import { storeUrl } from './connect-store.ts'
import type { RunningService } from './service.ts'

/** Creates an organization like `admin organization create`, but without starting a process, which takes half a second. */
export async function createTenant(service: RunningService, name: string): Promise<NewOrganization> {
  const store = openStore(new Pool({ connectionString: await storeUrl(service), max: 1 }))
  try {
    const names = { name, projectName: 'My project', keyLabel: 'First key' }
    return await store
      .transaction()
      .execute((transaction) => createOrganization(transaction, Date.now(), names))
  } finally {
    await store.destroy()
  }
}
