import type { Services } from '../../services.ts'
import type { IdentityProviderRow } from '../../store/accounts/identity-providers.ts'
import { readProvider, type ProviderSettings } from './provider-client.ts'

/** Time (ms) for which settings and keys are used before they are read again, and after which unknown keys let them be read. */
export const keptMs = { longest: 300_000, shortest: 60_000 }
const issuersMax = 100

type Needs = Pick<Services, 'config' | 'clock' | 'hosts'>

/**
 * Keeps the settings and keys of providers for a few minutes. Requests that need those of one provider at the same time share
 * one reading, so one that does not answer holds up no other. A failed reading is not kept.
 */
export class KnownProviders {
  readonly #services: Needs
  readonly #known = new Map<string, { since: number; settings: Promise<ProviderSettings> }>()

  constructor(services: Needs) {
    this.#services = services
  }

  /**
   * Returns the settings of a provider. @param maxAgeMs when to read them again. @throws the errors of `readProvider`
   */
  settingsOf(
    { issuer }: Pick<IdentityProviderRow, 'issuer'>,
    maxAgeMs = keptMs.longest,
  ): Promise<ProviderSettings> {
    const now = this.#services.clock.now()
    const known = this.#known.get(issuer)
    if (known && Math.abs(now - known.since) < maxAgeMs) return known.settings
    const settings = readProvider(this.#services, issuer)
    const read = { since: now, settings }
    this.#known.delete(issuer)
    const [oldest] = this.#known.keys()
    if (oldest !== undefined && this.#known.size >= issuersMax) this.#known.delete(oldest)
    this.#known.set(issuer, read)
    settings.catch(() => {
      if (this.#known.get(issuer) === read) this.#known.delete(issuer)
    })
    return settings
  }
}
