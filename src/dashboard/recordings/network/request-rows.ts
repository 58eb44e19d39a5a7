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
  const rows: RequestRow[] = []
  let group: { at: number; request: NetworkRequest }[] = []
  let end = -Infinity
  const draw = () => {
    const start = group[0]?.at ?? 0
    const width = Math.max(end - start, 1)
    for (const { at, request } of group) {
      const bar = { start: (at - start) / width, width: (request.duration ?? 0) / width }
      rows.push({ key: `${rows.length}`, at, request, bar })
    }
  }
  for (const { at, request } of marks) {
    if (!request) continue
    if (at > end + pauseMs) {
      draw()
      group = []
    }
    group.push({ at, request })
    end = Math.max(end, at + (request.duration ?? 0))
  }
  draw()
  return rows
}

/** Returns the rows of a type that contain the text in their method, status or URL, in this order. */
export function selectRequests(
  rows: readonly RequestRow[],
  { type, order }: RequestFilter,
  search: string,
): RequestRow[] {
  const text = search.trim().toLowerCase()
  const found = rows.filter(({ request }) => isOfType(request, type) && wordsOf(request).includes(text))
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

function wordsOf({ method, status, url }: NetworkRequest): string {
  return `${method ?? 'GET'} ${status ?? ''} ${url}`.toLowerCase()
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
