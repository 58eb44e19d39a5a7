import { isObject } from '../../../contract/rrweb.ts'

export type JsonObject = Record<string, unknown>

/** What a page sent may be anything: these read it, and take what is of another type for empty. */
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
