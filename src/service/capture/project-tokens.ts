import type { Clock } from '../clock.ts'
import { rowsOf, type Store } from '../store/schema/database.ts'

const knownMs = 60_000
/** Short, because a client may try the token of a project that is about to be created. */
const unknownMs = 2000
const tokensMax = 10_000
const tokenLengthMax = 200

/** Finds projects by their tokens, and remembers the results for a short time. */
export class ProjectTokens {
  readonly #store: Store
  readonly #clock: Clock
  readonly #found = new Map<string, { projectId: number | null; until: number }>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async projectOf(token: string): Promise<number | null> {
    // PostgreSQL has no text with a NUL.
    if (token.length > tokenLengthMax || token.includes('\0')) return null
    const now = this.#clock.now()
    const found = this.#found.get(token)
    if (found && found.until > now) return found.projectId
    const [project] = await rowsOf<{ id: number }>(
      this.#store,
    )`SELECT id FROM projects WHERE api_token = ${token}`
    if (this.#found.size >= tokensMax) this.#found.clear()
    const projectId = project?.id ?? null
    this.#found.set(token, { projectId, until: now + (project ? knownMs : unknownMs) })
    return projectId
  }
}
