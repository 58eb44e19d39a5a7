export const scopes = [
  'batch_export:read',
  'batch_export:write',
  'session_recording:read',
  'session_recording:write',
  'error_tracking:write',
  'sharing_configuration:read',
  'sharing_configuration:write',
  'person:read',
  'person:write',
  'integration:read',
  'integration:write',
  'personal_api_key:read',
  'personal_api_key:write',
  'organization_member:read',
  'organization_member:write',
  'organization:read',
  'organization:write',
  'audit_log:read',
  'audit_log:write',
] as const

export type Scope = (typeof scopes)[number]

/** Whether a key's scopes include `required`: `*` includes all scopes, write includes read. */
export function allowsScope(granted: readonly string[], required: string): boolean {
  if (granted.includes('*') || granted.includes(required)) return true
  return required.endsWith(':read') && granted.includes(required.replace(/:read$/, ':write'))
}

/** Why a key or role with these scopes may not do what needs a scope; null if it may. */
export function scopeReason(granted: readonly string[], required: Scope): string | null {
  return allowsScope(granted, required) ? null : missingScope(granted, required)
}

/** Precedes the name of a role among the scopes of a person who signed in. */
export const rolePrefix = 'role:'

/** Says that a key or, where the scopes name one, a role lacks a scope. */
export function missingScope(granted: readonly string[], required: Scope): string {
  const role = granted.find((scope) => scope.startsWith(rolePrefix))?.slice(rolePrefix.length)
  if (role === undefined) return `API key missing required scope '${required}'`
  return `Your role, ${role}, lacks the scope '${required}'. An owner or admin of the organization can change it.`
}

/** Returns the scope that such a sentence names. */
export function scopeIn(reason: string): Scope | undefined {
  return scopes.find((scope) => reason.includes(`scope '${scope}'`))
}
