import type { ApiKey } from '../store/api-keys.ts'

/** Who asks: a key, and the organization of its user. */
export type Caller = { key: Omit<ApiKey, 'hash'>; organizationId: string }
