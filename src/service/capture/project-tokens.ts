import type { Clock } from '../clock.ts'
import { rowsOf, type Store } from '../store/schema/database.ts'
import { keepsAll, type CapturePrivacy } from './private-values.ts'

const knownMs = 60_000
/** Short, because a client may try the token of a project that is about to be created. */
const unknownMs = 2000
const tokensMax = 10_000
const tokenLengthMax = 200

/** A project, and what it removes from captured data: a change of these settings takes effect within a minute. */
type CapturingProject = { id: number; privacy: CapturePrivacy }

/** Finds projects by their tokens, and remembers the results for a short time. */
export class ProjectTokens {
  readonly #store: Store
  readonly #clock: Clock
  readonly #found = new Map<string, { project: CapturingProject | null; until: number }>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async projectOf(token: string): Promise<CapturingProject | null> {
    // PostgreSQL has no text with a NUL.
    if (token.length > tokenLengthMax || token.includes('\0')) return null
    const now = this.#clock.now()
    const found = this.#found.get(token)
    if (found && found.until > now) return found.project
    const [row] = await rowsOf<CapturePrivacy & { id: number }>(
      this.#store,
    )`SELECT id, coalesce(ip_addresses, ${keepsAll.ip_addresses}) AS ip_addresses,
      coalesce(masked_texts, '{}') AS masked_texts, coalesce(masked_patterns, '{}') AS masked_patterns,
      coalesce(masked_selectors, '{}') AS masked_selectors FROM projects
      LEFT JOIN privacy_settings ON project_id = id WHERE api_token = ${token}`
    if (this.#found.size >= tokensMax) this.#found.clear()
    const project = row ? projectWith(row) : null
    this.#found.set(token, { project, until: now + (project ? knownMs : unknownMs) })
    return project
  }
}

function projectWith({ id, ...privacy }: CapturePrivacy & { id: number }): CapturingProject {
  return { id, privacy }
}
