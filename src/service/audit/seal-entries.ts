import type { Services } from '../services.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { addSeal, lockChain, organizationsToSeal, unsealedEntries } from '../store/audit/audit-chain.ts'
import { isSigned, sealHash, signatureOf } from './chain.ts'

type Needs = Pick<Services, 'store' | 'clock' | 'secrets' | 'logger'>

/** Entries that a seal covers. */
const entriesMax = 500

/** Seals the entries of all organizations; resolves to whether more may be left. */
export async function sealEntries(services: Needs): Promise<boolean> {
  let isMore = false
  for (const organizationId of await organizationsToSeal(services.store))
    isMore = (await sealOrganization(services, organizationId)) === entriesMax || isMore
  return isMore
}

/**
 * Seals the oldest entries of an organization that no seal covers; resolves to their number, 0 while another process seals. An
 * entry that is committed later belongs to a later seal, whatever its time.
 */
async function sealOrganization(services: Needs, organizationId: string): Promise<number> {
  const { store, clock, secrets, logger } = services
  return await store.transaction().execute(async (transaction) => {
    const chain = await lockChain(transaction, organizationId, (ends) => signatureOf(secrets, ends))
    if (!chain) return 0
    const at = new Date(clock.now())
    // The new signature would hide that the old one does not match, so an entry says it for good.
    if (!isSigned(secrets, chain)) {
      logger.error(
        { organization: organizationId },
        'the audit log was changed, or SPOOL_SECRET_KEY was replaced',
      )
      const doubted = { organizationId, action: 'audit_log.seal_doubted' as const, at }
      await audit(transaction, { ...doubted, object: { id: String(chain.last_number), name: null } })
    }
    const entries = await unsealedEntries(transaction, organizationId, entriesMax)
    const [first, last] = [entries[0], entries.at(-1)]
    if (!first || !last) return 0
    const number = chain.last_number + 1
    const hash = sealHash(chain.last_hash, number, entries)
    const ends = { ...chain, last_number: number, last_hash: hash }
    const seal = {
      organization_id: organizationId,
      number,
      first_entry: first.id,
      last_entry: last.id,
      entries: entries.length,
      hash,
      sealed_at: at,
    }
    await addSeal(transaction, seal, entries, signatureOf(secrets, ends))
    return entries.length
  })
}
