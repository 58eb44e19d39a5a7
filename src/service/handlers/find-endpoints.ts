import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts'

type NamedEndpoint = readonly [EndpointName, Endpoint]

/** The endpoints of a path, one per method, and the values of the path's parameters. */
export type FoundEndpoints = { named: readonly NamedEndpoint[]; params: Record<string, string> }

/** A part of a path, and what can follow. */
type Node = { fixed: Map<string, Node>; parameter: Node | null; named: NamedEndpoint[] }

const root = newNode()
for (const named of Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][]) {
  let node = root
  for (const part of partsOf(named[1].path)) node = childFor(node, part)
  node.named.push(named)
}

/**
 * Finds the endpoints of a request's path, with or without its last slash; null without any. The projects of a path are also
 * called environments. This takes the place of a router, because building one for all endpoints, methods and slashes would
 * take a fifth of the time of a start.
 */
export function findEndpoints(path: string): FoundEndpoints | null {
  const parts = decoded(partsOf(path))
  if (parts === null) return null
  if (parts[1] === 'environments') parts[1] = 'projects'
  const named = find(root, parts, 0)
  if (named === null) return null
  const names = partsOf(named[0]?.[1].path ?? '')
  const isParameter = (name: string) => name.startsWith(':')
  const params = names.flatMap((name, index) =>
    isParameter(name) ? [[name.slice(1), parts[index] ?? ''] as const] : [],
  )
  return { named, params: Object.fromEntries(params) }
}

/** A fixed part goes before a parameter, which is never empty. */
function find(node: Node, parts: readonly string[], index: number): NamedEndpoint[] | null {
  const part = parts[index]
  if (part === undefined) return node.named.length > 0 ? node.named : null
  const fixed = node.fixed.get(part)
  const found = fixed ? find(fixed, parts, index + 1) : null
  if (found || part === '' || !node.parameter) return found
  return find(node.parameter, parts, index + 1)
}

function childFor(node: Node, part: string): Node {
  if (part.startsWith(':')) return (node.parameter ??= newNode())
  const child = node.fixed.get(part) ?? newNode()
  node.fixed.set(part, child)
  return child
}

function newNode(): Node {
  return { fixed: new Map(), parameter: null, named: [] }
}

function partsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/')
}

/** Returns null if a part is encoded wrongly. */
function decoded(parts: readonly string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return null
  }
}
