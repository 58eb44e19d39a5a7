import type { Selectable } from 'kysely'
import type { ApiKeysTable } from '../store/database.ts'

/** Who asks: a key, and the organization of its user. */
export type Caller = { key: Omit<Selectable<ApiKeysTable>, 'hash'>; organizationId: string }
