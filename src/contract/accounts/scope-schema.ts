import { z } from 'zod'
import { scopes } from './scopes.ts'

export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/** A scope that a key can be granted: one scope, or `*` for all. */
export const GrantedScope = z.enum(['*', ...scopes])
export type GrantedScope = z.infer<typeof GrantedScope>
