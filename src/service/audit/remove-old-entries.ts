import { retentionDaysDefault } from '../../contract/audit/audit-settings.ts'
import type { Services } from '../services.ts'
import { expiredSeal, lockChain, removeUntil } from '../store/audit/audit-chain.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { findRow, findRows } from '../store/schema/rows.ts'
import { isSigned, signatureOf } from './chain.ts'

const dayMs = 86_400_000
/** Seals that one transaction deletes. */
const sealsMax = 200

type Needs = Pick<Services, 'store' | 'clock' | 'secrets'>

/**
 * Deletes the sealed entries of all organizations that are older than their retention. What stays is a signed checkpoint: the
 * number and hash of the newest deleted seal, with which the rest of the chain can still be checked.
 */
export async function removeOldEntries(services: Needs): Promise<void> {
  for (const { organization_id } of await findRows(services.store, 'audit_chains', {}))
    while (await removeOf(services, organization_id));
}

/** Deletes a batch of an organization's oldest seals; resolves to whether more may be left. */
async function removeOf({ store, clock, secrets }: Needs, organizationId: string): Promise<boolean> {
  const now = clock.now()
  return await store.transaction().execute(async (transaction) => {
    const settings = await findRow(transaction, 'audit_settings', { organization_id: organizationId })
    const days = settings?.retention_days ?? retentionDaysDefault
    const chain = await lockChain(transaction, organizationId, (ends) => signatureOf(secrets, ends))
    // A new signature would hide that the old one does not match.
    if (!chain || !isSigned(secrets, chain)) return false
    const seal = await expiredSeal(transaction, chain, new Date(now - days * dayMs), sealsMax)
    if (!seal) return false
    const ends = { ...chain, removed_number: seal.number, removed_hash: seal.hash }
    const entries = await removeUntil(transaction, seal, signatureOf(secrets, ends))
    await audit(transaction, {
      organizationId,
      action: 'audit_log.trimmed',
      at: new Date(now),
      after: { entries, until_seal: seal.number, retention_days: days },
    })
    return seal.number === chain.removed_number + sealsMax
  })
}
