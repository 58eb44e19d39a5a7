import { sql } from 'kysely'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { findApiKeyByHash } from '../store/accounts/api-keys.ts'
import { firstOwner, type Member } from '../store/accounts/users.ts'
import { firstOrganization } from '../store/accounts/organizations.ts'
import { findRow, insertRow } from '../store/schema/rows.ts'
import { listProjects } from '../store/accounts/projects.ts'
import { hashApiKey, newApiKey } from './api-key-value.ts'
import { createWithOwner, newKeyRow } from './new-organization.ts'

/** Two arbitrary numbers that no other lock in this database uses. */
const bootstrapLock = sql`pg_advisory_xact_lock(4280, 2)`
const keyName = 'bootstrap_api_key'
const keyLabel = 'First key'
const emptyNames = { name: 'My organization', projectName: 'My project' }
const sampleNames = { name: 'Lumen & Loom', projectName: 'Web shop' }

type Needs = Pick<Services, 'store' | 'config' | 'secrets' | 'clock'>

/**
 * Creates the first organization unless it exists, and the key that the environment sets. Returns the owner, the project that
 * was created first, and whether this call created them.
 */
export function bootstrap({ store, config, clock }: Needs) {
  return store.transaction().execute(async (transaction) => {
    await sql`SELECT ${bootstrapLock}`.execute(transaction)
    const now = clock.now()
    const found = await findFirst(transaction)
    const names = config.sampleData ? sampleNames : emptyNames
    const { owner, project } = found ?? (await createWithOwner(transaction, now, names))
    if (config.bootstrapApiKey !== null) await addKey(transaction, owner, config.bootstrapApiKey, now)
    return { owner, projectId: project.id, isFirst: found === null }
  })
}

/** Returns a key of the first owner with all scopes: the same until it is revoked, then a new one. */
export async function firstKey(services: Needs): Promise<string> {
  const { store, config, clock } = services
  const { owner } = await bootstrap(services)
  if (config.bootstrapApiKey !== null) return config.bootstrapApiKey
  return store.transaction().execute(async (transaction) => {
    await sql`SELECT ${bootstrapLock}`.execute(transaction)
    const known = await rememberedKey(services, transaction)
    const isValid = known !== null && (await findApiKeyByHash(transaction, hashApiKey(known))) !== undefined
    // A revoked key is not restored.
    const apiKey = isValid ? known : newApiKey()
    await addKey(transaction, owner, apiKey, clock.now())
    await rememberKey(services, transaction, apiKey)
    return apiKey
  })
}

/** Finds the first owner and project of the organization that was created first; null before the first start. */
async function findFirst(store: StoreTransaction) {
  const organization = await firstOrganization(store)
  if (!organization) return null
  const [owner, [project]] = await Promise.all([
    firstOwner(store, organization.id),
    listProjects(store, organization.id),
  ])
  if (!owner || !project) throw new Error('the first organization lacks an owner or a project')
  return { owner, project }
}

async function addKey(store: StoreTransaction, owner: Member, apiKey: string, now: number): Promise<void> {
  if (await findApiKeyByHash(store, hashApiKey(apiKey))) return
  await insertRow(store, 'api_keys', newKeyRow(owner, keyLabel, apiKey, now))
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
