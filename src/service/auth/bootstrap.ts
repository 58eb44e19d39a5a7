import { sql } from 'kysely'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { findApiKeyByHash } from '../store/accounts/api-keys.ts'
import { firstOwner } from '../store/accounts/users.ts'
import { firstOrganization } from '../store/accounts/organizations.ts'
import { findRow, insertRow } from '../store/schema/rows.ts'
import { listProjects } from '../store/accounts/projects.ts'
import { hashApiKey, newApiKey } from './api-key-value.ts'
import { createOrganization, newKeyRow } from './new-organization.ts'

/** Two arbitrary numbers that no other lock in this database uses. */
const bootstrapLock = sql`pg_advisory_xact_lock(4280, 2)`
const keyName = 'bootstrap_api_key'
const keyLabel = 'First key'
const emptyNames = { name: 'My organization', projectName: 'My project' }
const sampleNames = { name: 'Lumen & Loom', projectName: 'Web shop' }

type Needs = Pick<Services, 'store' | 'config' | 'secrets' | 'clock'>

/**
 * Creates the first organization and key unless they exist. Returns a key with all scopes, the same at every start until it
 * is revoked, the first organization's first project, and whether this call created the organization.
 */
export function bootstrap(services: Needs) {
  const { store, config, clock } = services
  return store.transaction().execute(async (transaction) => {
    await sql`SELECT ${bootstrapLock}`.execute(transaction)
    const now = clock.now()
    const known = config.bootstrapApiKey ?? (await rememberedKey(services, transaction))
    // The bootstrap key belongs to the organization that was created first.
    const organization = await firstOrganization(transaction)
    if (!organization) {
      const created = await createOrganization(transaction, now, {
        ...(config.sampleData ? sampleNames : emptyNames),
        keyLabel,
        ...(known !== null && { apiKey: known }),
      })
      await rememberKey(services, transaction, created.api_key)
      return { apiKey: created.api_key, projectId: created.project_id, isFirst: true }
    }
    const isValid = known !== null && (await findApiKeyByHash(transaction, hashApiKey(known))) !== undefined
    // A revoked key is not restored, unless the environment still sets it.
    const apiKey = isValid ? known : (config.bootstrapApiKey ?? newApiKey())
    const [owner, [project]] = await Promise.all([
      firstOwner(transaction, organization.id),
      listProjects(transaction, organization.id),
    ])
    if (!owner || !project) throw new Error('the first organization lacks an owner or a project')
    if (!isValid) await insertRow(transaction, 'api_keys', newKeyRow(owner, keyLabel, apiKey, now))
    await rememberKey(services, transaction, apiKey)
    return { apiKey, projectId: project.id, isFirst: false }
  })
}

async function rememberedKey({ secrets }: Needs, transaction: StoreTransaction): Promise<string | null> {
  const row = await findRow(transaction, 'installation', { name: keyName })
  if (!row) return null
  try {
    return secrets.open(Buffer.from(row.value, 'base64'))
  } catch {
    // The key was sealed with another SPOOL_SECRET_KEY, so a new key replaces it.
    return null
  }
}

async function rememberKey({ secrets }: Needs, transaction: StoreTransaction, apiKey: string): Promise<void> {
  const value = secrets.seal(apiKey).toString('base64')
  await sql`INSERT INTO installation (name, value) VALUES (${keyName}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(transaction)
}
