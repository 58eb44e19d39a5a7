import { HogqlError } from './error.ts'

/** An unchecked node of the parser's tree: every field except its kind is checked where it is read. */
export type Node = { readonly node: string; readonly [key: string]: unknown }

/** Returns the value as a node. @throws HogqlError when it is not one: the parser's output is not trusted. */
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

/** Returns where the node starts, in characters. */
export function startOf(node: Node): number | undefined {
  const start = node['start']
  return isRecord(start) && typeof start['offset'] === 'number' ? start['offset'] : undefined
}

/** Returns whether a field is absent; the parser expresses that as undefined, null or false. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === false
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
