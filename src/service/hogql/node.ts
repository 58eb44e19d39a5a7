import { HogqlError } from './error.ts'

/** A node of the parser's tree as it comes: everything but its kind is checked where it is read. */
export type Node = { readonly node: string; readonly [key: string]: unknown }

/** @throws HogqlError: the parser's answer is not trusted to be whole. */
export function asNode(value: unknown): Node {
  if (isRecord(value) && typeof value['node'] === 'string') return { ...value, node: value['node'] }
  throw new HogqlError('Failed to parse query')
}

export function asNodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.map(asNode)
  throw new HogqlError('Failed to parse query')
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new HogqlError('Failed to parse query')
}

/** Where the node starts, in characters. */
export function startOf(node: Node): number | undefined {
  const start = node['start']
  return isRecord(start) && typeof start['offset'] === 'number' ? start['offset'] : undefined
}

/** Absent in all the ways the parser says so. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === false
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
