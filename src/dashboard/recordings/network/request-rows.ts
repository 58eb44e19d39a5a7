import type { NetworkRequest } from '../../../replay/recorded/network-request.ts'
import type { Mark } from '../player/player-messages.ts'

/** A request in the list; `at` is in milliseconds since the recording's start. */
export type RequestRow = {
  key: string
  at: number
  request: NetworkRequest
  /** Start and width in the waterfall of the requests around it, as shares of its width. */
  bar: { start: number; width: number }
}

export const requestOrders = [
  ['failed', 'failed first'],
  ['time', 'in order'],
  ['duration', 'slowest first'],
  ['size', 'largest first'],
] as const
type RequestOrder = (typeof requestOrders)[number][0]

export const requestTypes = [
  ['all', 'all'],
  ['failed', 'failed'],
  ['fetch', 'fetch'],
  ['document', 'pages'],
  ['script', 'scripts'],
  ['style', 'styles'],
  ['image', 'images'],
  ['other', 'other'],
] as const
type RequestType = (typeof requestTypes)[number][0]

export type RequestFilter = { type: RequestType; order: RequestOrder }

/** Pause (ms) without requests after which a new waterfall begins. */
const pauseMs = 2_000

/** Returns the requests among the marks, which are in chronological order. */
export function requestRows(marks: readonly Mark[]): RequestRow[] {
  const groups: { at: number; end: number; request: NetworkRequest }[][] = []
  let end = -Infinity
  for (const { at, request } of marks) {
    if (!request) continue
    if (at > end + pauseMs) groups.push([])
    end = Math.max(end, at + (request.duration ?? 0))
    groups.at(-1)?.push({ at, end, request })
  }
  const rows = groups.flatMap((group) => {
    const start = group[0]?.at ?? 0
    const width = Math.max((group.at(-1)?.end ?? 0) - start, 1)
    return group.map(({ at, request }) => {
      const bar = { start: (at - start) / width, width: (request.duration ?? 0) / width }
      return { at, request, bar }
    })
  })
  return rows.map((row, index) => ({ ...row, key: `${index}` }))
}

/** Returns the rows of a type that contain the text in their method, status or URL, in this order. */
export function selectRequests(rows: readonly RequestRow[], { type, order }: RequestFilter, search: string) {
  const text = search.trim().toLowerCase()
  const found = rows.filter(({ request }) => {
    const { method, status, url } = request
    return isOfType(request, type) && `${method ?? 'GET'} ${status ?? ''} ${url}`.toLowerCase().includes(text)
  })
  const rank = ranks[order]
  // The sort is stable, so rows of the same rank stay in chronological order.
  return rank ? found.toSorted((one, other) => rank(other.request) - rank(one.request)) : found
}

const ranks: Record<RequestOrder, ((request: NetworkRequest) => number) | null> = {
  failed: ({ hasFailed }) => Number(hasFailed),
  time: null,
  duration: ({ duration }) => duration ?? -1,
  size: ({ size }) => size ?? -1,
}

const initiatorTypes = new Map<string, RequestType>([
  ['fetch', 'fetch'],
  ['xmlhttprequest', 'fetch'],
  ['beacon', 'fetch'],
  ['navigation', 'document'],
  ['iframe', 'document'],
  ['script', 'script'],
  ['css', 'style'],
  ['link', 'style'],
  ['img', 'image'],
  ['image', 'image'],
  ['icon', 'image'],
])

function isOfType({ initiator, hasFailed }: NetworkRequest, type: RequestType): boolean {
  if (type === 'all') return true
  return type === 'failed' ? hasFailed : (initiatorTypes.get(initiator) ?? 'other') === type
}

/** Returns the path and query of a URL, and the host unless it is that of the recorded page. */
export function requestName(url: string, pageHost: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  const path = parsed.pathname + parsed.search
  return parsed.host === pageHost ? path : parsed.host + path
}

export function statusWord({ status, hasFailed }: NetworkRequest): string {
  if (status) return String(status)
  return hasFailed ? 'none' : '–'
}
