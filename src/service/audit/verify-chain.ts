import { findRow, findRows } from '../store/schema/rows.ts'
import {
  countUnsealed,
  sealsWithEntries,
  strayNumber,
  type AuditChain,
  type AuditSeal,
} from '../store/audit/audit-chain.ts'
import type { AuditRow } from '../store/audit/audit-entries.ts'
import type { Services } from '../services.ts'
import type { Store } from '../store/schema/database.ts'
import { isSigned, sealHash } from './chain.ts'

type Needs = Pick<Services, 'store' | 'secrets'>

/** What a check of an organization's audit log found. */
export type ChainReport = {
  /** The first seal that does not match, and why; null if the log is complete and unchanged. */
  problem: { seal: number; reason: string } | null
  /** Numbers of the newest seal and of the newest one that was removed at the end of its retention. */
  seal: number
  removed: number
  /** The newest hash, in hex: anyone who keeps it can show later that the log still contains what it contains now. */
  hash: string
  entries: number
  unsealed: number
}

/** Seals in memory at once, with their entries. */
const batchMax = 100

/** Computes an organization's chain again, from what its retention has left. */
export function verifyChain({ store, secrets }: Needs, organizationId: string): Promise<ChainReport> {
  // In one snapshot, since the service may seal and remove entries meanwhile.
  const snapshot = store.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (transaction) => {
    const chain = await findRow(transaction, 'audit_chains', { organization_id: organizationId })
    const unsealed = await countUnsealed(transaction, organizationId)
    const ends = chain ?? withoutChain(organizationId)
    const { problem, entries } = await walk(transaction, ends)
    return {
      problem: problem ?? (await problemAtEnd(transaction, secrets, ends, chain !== undefined)),
      seal: ends.last_number,
      removed: ends.removed_number,
      hash: ends.last_hash.toString('hex'),
      entries,
      unsealed,
    }
  })
}

/** An organization without a chain has no seals, or its chain was deleted. */
function withoutChain(organization_id: string): AuditChain {
  const none = Buffer.alloc(0)
  return {
    organization_id,
    last_number: 0,
    last_hash: none,
    removed_number: 0,
    removed_hash: none,
    signature: '',
  }
}

async function walk(store: Store, chain: AuditChain) {
  let [number, previous, count] = [chain.removed_number, chain.removed_hash, 0]
  const { organization_id, last_number, last_hash } = chain
  for await (const { seal, entries } of sealsWithEntries(store, organization_id, number + 1, batchMax)) {
    number += 1
    if (number > last_number) return failed(number, 'was added at the end', count)
    const reason = seal.number === number ? reasonAgainst(seal, previous, entries) : 'is missing'
    if (reason !== null) return failed(number, reason, count)
    previous = seal.hash
    count += entries.length
  }
  if (number < last_number) return failed(number + 1, 'is missing', count)
  if (!previous.equals(last_hash)) return failed(number, 'is not the one at which the chain ends', count)
  return { problem: null, entries: count }
}

function failed(seal: number, reason: string, entries: number) {
  return { problem: { seal, reason }, entries }
}

/** Says why a seal does not match its entries and the hash before it; null if it does. */
function reasonAgainst(seal: AuditSeal, previous: Buffer, entries: readonly AuditRow[]): string | null {
  if (entries.length !== seal.entries)
    return `covers ${seal.entries} entries, but the log has ${entries.length} of it`
  if (entries[0]?.id !== seal.first_entry || entries.at(-1)?.id !== seal.last_entry)
    return 'does not begin and end with its entries'
  return sealHash(previous, seal.number, entries).equals(seal.hash)
    ? null
    : 'does not match its entries: one of them or the seal was changed'
}

async function problemAtEnd(store: Store, secrets: Needs['secrets'], chain: AuditChain, isStored: boolean) {
  const stray = await strayNumber(store, chain)
  if (stray !== null) return { seal: stray, reason: 'has entries, but is not part of the chain' }
  if (isStored && !isSigned(secrets, chain))
    return {
      seal: chain.last_number,
      reason: 'has a signature that does not match: the log was changed, or SPOOL_SECRET_KEY was replaced',
    }
  const { organization_id } = chain
  const [doubt] = await findRows(store, 'audit_entries', {
    organization_id,
    action: 'audit_log.seal_doubted',
  })
  if (!doubt) return null
  return {
    seal: Number(doubt.object_id),
    reason:
      'had a signature that did not match: the log was changed before that, or SPOOL_SECRET_KEY was replaced',
  }
}
