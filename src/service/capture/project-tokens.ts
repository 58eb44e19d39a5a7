import type { Clock } from '../clock.ts'
import type { Store } from '../store/database.ts'

const keepMs = 60_000
const sizeMax = 10_000

/** Which project a capture token is of; known tokens are remembered for a minute, unknown ones asked for each time. */
export class ProjectTokens {
  readonly #store: Store
  readonly #clock: Clock
  readonly #known = new Map<string, { projectId: number; until: number }>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async projectOf(token: string): Promise<number | null> {
    const now = this.#clock.now()
    const known = this.#known.get(token)
    if (known && known.until > now) return known.projectId
    const project = await this.#store
      .selectFrom('projects')
      .select('id')
      .where('api_token', '=', token)
      .executeTakeFirst()
    if (!project) return null
    if (this.#known.size >= sizeMax) this.#known.clear()
    this.#known.set(token, { projectId: project.id, until: now + keepMs })
    return project.id
  }
}
