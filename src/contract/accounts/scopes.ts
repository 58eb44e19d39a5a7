export const scopes = [
  'batch_export:read',
  'batch_export:write',
  'session_recording:read',
  'session_recording:write',
  'sharing_configuration:read',
  'sharing_configuration:write',
  'integration:read',
  'integration:write',
  'personal_api_key:read',
  'personal_api_key:write',
] as const

export type Scope = (typeof scopes)[number]

/** Whether a key's scopes include `required`: `*` includes all scopes, write includes read. */
export function allowsScope(granted: readonly string[], required: string): boolean {
  if (granted.includes('*') || granted.includes(required)) return true
  return required.endsWith(':read') && granted.includes(required.replace(/:read$/, ':write'))
}

/** Why a key with these scopes may not do what needs a scope; null if it may. */
export function scopeReason(granted: readonly string[], required: Scope): string | null {
  return allowsScope(granted, required) ? null : missingScope(required)
}

export function missingScope(required: Scope): string {
  return `API key missing required scope '${required}'`
}
