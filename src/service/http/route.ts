import { endpoints, type Endpoint, type EndpointName, type PathObject } from '../../contract/endpoints.ts'

type Route = { name: EndpointName; endpoint: Endpoint; segments: string[] }

const routes: readonly Route[] = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
  name: name as EndpointName,
  endpoint,
  segments: segmentsOf(endpoint.path),
}))

/** The ids of the objects that a path names, as the client wrote them. */
export type PathIds = Partial<Record<PathObject, string>>

export type FoundRoute = {
  kind: 'found'
  name: EndpointName
  endpoint: Endpoint
  ids: PathIds
}
export type Match = FoundRoute | { kind: 'wrong method'; allowed: string[] } | { kind: 'unknown' }

/**
 * Finds the endpoint for a method and a path (still percent-encoded, without the query). The trailing slash is optional,
 * `environments` means `projects`, HEAD means GET, and a literal segment takes precedence over a parameter.
 */
export function matchRoute(method: string, path: string): Match {
  const given = decodeSegments(path)
  if (!given) return { kind: 'unknown' }
  if (given[0] === 'api' && given[1] === 'environments') given[1] = 'projects'
  const candidates = routes.filter((route) => fits(route.segments, given))
  const literal = Math.max(...candidates.map((route) => literals(route.segments)))
  const best = candidates.filter((route) => literals(route.segments) === literal)
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = best.find((route) => route.endpoint.method === wanted)
  if (found) {
    const { name, endpoint } = found
    return { kind: 'found', name, endpoint, ids: idsOf(found, given) }
  }
  if (best.length === 0) return { kind: 'unknown' }
  const methods = best.flatMap(({ endpoint }) =>
    endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
  )
  return { kind: 'wrong method', allowed: [...new Set([...methods, 'OPTIONS'])].sort() }
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/')
}

function decodeSegments(path: string): string[] | null {
  try {
    return segmentsOf(path).map(decodeURIComponent)
  } catch {
    return null
  }
}

function fits(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, index) => (isParam(segment) ? given[index] !== '' : segment === given[index]))
  )
}

function idsOf({ endpoint: { loads = {} }, segments }: Route, given: readonly string[]): PathIds {
  return Object.fromEntries(
    Object.entries(loads).map(([object, param]) => [object, given[segments.indexOf(`:${param}`)]]),
  )
}

function literals(segments: readonly string[]): number {
  return segments.filter((segment) => !isParam(segment)).length
}

function isParam(segment: string): boolean {
  return segment.startsWith(':')
}
