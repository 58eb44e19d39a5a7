import { z } from 'zod'
import { scopes } from './scopes.ts'

export const Scope = z.enum(scopes)

/** A scope that a key can be granted: one scope, or `*` for all. */
export const GrantedScope = z.enum(['*', ...scopes])
export type GrantedScope = z.infer<typeof GrantedScope>
