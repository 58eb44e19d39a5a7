import { z } from 'zod'

export const scopes = [
  'batch_export:read',
  'batch_export:write',
  'session_recording:read',
  'session_recording:write',
  'sharing_configuration:read',
  'sharing_configuration:write',
  'personal_api_key:read',
  'personal_api_key:write',
] as const

export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/** A scope that a key can be granted: one scope, or `*` for all. */
export const GrantedScope = z.enum(['*', ...scopes])
export type GrantedScope = z.infer<typeof GrantedScope>

/** Whether a key's scopes include `required`: `*` includes all scopes, write includes read. */
export function allowsScope(granted: readonly string[], required: string): boolean {
  if (granted.includes('*') || granted.includes(required)) return true
  return required.endsWith(':read') && granted.includes(required.replace(/:read$/, ':write'))
}

export function missingScope(required: Scope): string {
  return `API key missing required scope '${required}'`
}
