import type { Logger } from 'pino'
import type { AuditAction } from '../../contract/audit/audit-actions.ts'
import type { Clock } from '../clock.ts'
import { firstOrganization } from '../store/accounts/organizations.ts'
import { findMemberByEmail } from '../store/accounts/users.ts'
import type { Acting, Actor } from '../store/audit/acting.ts'
import { audit } from '../store/audit/audit-entries.ts'
import type { Store } from '../store/schema/database.ts'

/** Different refusals that are told apart until they are written; further ones are counted together. */
const kindsMax = 50

export type Refusal = {
  /** null if the client names no organization, such as with an unknown key: the installation's first one records it. */
  organizationId: string | null
  /** E-mail address that was tried. If a member has it, the entry names the member, else nobody: the text may be a password. */
  email?: string | null
  action: Extract<AuditAction, `${string}.refused`>
  /** What was refused, such as an endpoint; null if nothing is known. */
  name: string | null
  acting: Omit<Acting, 'requestId'>
}

type Needs = { store: Store; clock: Clock; logger: Logger }

const severalClients = {
  actor: { kind: 'system', id: null, name: 'several clients' },
  address: null,
} as const

/**
 * Counts refused requests, and adds an entry to the audit log for each client and reason with their number, so that a flood of
 * them cannot fill it.
 */
export class Refusals {
  readonly #services: Needs
  #counts = new Map<string, { refusal: Refusal; count: number }>()

  constructor(services: Needs) {
    this.#services = services
  }

  add(refusal: Refusal): void {
    const isToldApart = this.#counts.has(JSON.stringify(refusal)) || this.#counts.size < kindsMax
    const { organizationId, action } = refusal
    const counted = isToldApart ? refusal : { organizationId, action, name: null, acting: severalClients }
    const key = JSON.stringify(counted)
    this.#counts.set(key, { refusal: counted, count: (this.#counts.get(key)?.count ?? 0) + 1 })
  }

  /** Writes what was counted since the last call; the server calls it once a minute. */
  async flush(): Promise<void> {
    const counts = [...this.#counts.values()]
    if (counts.length === 0) return
    this.#counts = new Map()
    const { store, clock, logger } = this.#services
    try {
      await store.transaction().execute(async (transaction) => {
        const first = await firstOrganization(transaction)
        for (const { refusal, count } of counts) {
          const { action, name, email, acting } = refusal
          const member = email
            ? await findMemberByEmail(transaction, email, refusal.organizationId)
            : undefined
          const organizationId = refusal.organizationId ?? member?.organization_id ?? first?.id
          if (organizationId === undefined) continue
          await audit(transaction, {
            organizationId,
            action,
            at: new Date(clock.now()),
            object: { id: null, name },
            after: { attempts: count },
            acting: { ...acting, ...(member && { actor: personOf(member) }), requestId: null },
          })
        }
      })
    } catch (error) {
      logger.error(
        { err: error, refusals: counts.length },
        'failed to record refused requests in the audit log',
      )
    }
  }
}

function personOf({ user_id, first_name }: { user_id: string; first_name: string }): Actor {
  return { kind: 'person', id: user_id, name: first_name }
}
