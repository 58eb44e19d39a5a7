import type { ApiKey } from '../store/accounts/api-keys.ts'

/** The client of an authenticated request: its API key, and the organization of the key's user. */
export type Caller = { key: Omit<ApiKey, 'hash'>; organizationId: string }
