import { isObject } from '../../replay/recorded/rrweb.ts'

export type JsonObject = Record<string, unknown>

/** Reads an object from untrusted JSON; this and the functions below return an empty value for any other type. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
