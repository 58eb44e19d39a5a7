import {
  consoleLevel,
  consolePlugin,
  isClick,
  isObject,
  isFromPlugin,
  MouseInteractions,
  pageAddress,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { networkRequests, type NetworkRequest } from '../../../replay/recorded/network-request.ts'
import { consoleText } from '../console/console-message.ts'
import type { Mark } from '../player/player-messages.ts'

const textLengthMax = 300
const detailLengthMax = 4_000
/** Longest body (characters), because the dashboard holds all of them; longer ones are cut off. */
const bodyLengthMax = 100_000

/** A mark with its absolute time, in milliseconds since the epoch. */
type TimedMark = Omit<Mark, 'at'> & { time: number }

/** Returns a function that finds the marks in each event of a recording; pass it the events in chronological order. */
export function createMarkFinder(): (event: WindowEvent) => TimedMark[] {
  const addresses = new Map<string, string>()
  const isRage = createRageFinder()
  return ({ window, event }) => {
    const time = event.timestamp
    if (isClick(event)) {
      const click: TimedMark = { kind: 'click', time, text: 'Click', detail: '' }
      return isRage(window, event) ? [click, { ...click, kind: 'rage click', text: 'Rage click' }] : [click]
    }
    const address = pageAddress(event)
    if (address !== '' && addresses.get(window) !== address) {
      addresses.set(window, address)
      return [{ kind: 'page', time, text: pathOf(address), detail: cut(address, detailLengthMax) }]
    }
    const { payload } = event.data
    if (isFromPlugin(event, consolePlugin)) return isObject(payload) ? [consoleMark(payload, time)] : []
    return networkRequests(event).map(requestMark)
  }
}

/** Clicks that make a rage click when they follow each other this closely, as in posthog-js. */
const rage = { clicks: 3, ms: 1_000, px: 30 }

/** Returns a function that says whether a click is the third of a rage click. */
function createRageFinder(): (window: string, event: ReplayEvent) => boolean {
  const runs = new Map<string, { count: number; time: number; x: number; y: number }>()
  return (window, { timestamp: time, data }) => {
    const { type, x, y } = data
    // A tap is recorded as a touch and as a click.
    if (type !== MouseInteractions.Click || typeof x !== 'number' || typeof y !== 'number') return false
    const last = runs.get(window)
    const continues =
      last && time - last.time < rage.ms && Math.abs(x - last.x) + Math.abs(y - last.y) < rage.px
    const count = continues ? last.count + 1 : 1
    runs.set(window, { count, time, x, y })
    return count === rage.clicks
  }
}

function consoleMark({ level, payload, trace }: Record<string, unknown>, time: number): TimedMark {
  const parts = texts(payload)
  const line = { parts, trace: texts(trace) }
  const text = consoleText(line)
  return {
    kind: consoleLevel(level),
    time,
    text: cut(text, textLengthMax),
    detail: cut([text, ...line.trace].join('\n'), detailLengthMax),
    line,
  }
}

function requestMark(request: NetworkRequest): TimedMark {
  const { url, method, status, duration, requestBody, responseBody } = request
  const words = [
    method ?? 'GET',
    pathOf(url),
    status,
    duration === null ? null : `${Math.round(duration)} ms`,
  ]
  return {
    kind: request.hasFailed ? 'failed request' : 'request',
    time: request.startedAt,
    text: cut(words.filter((word) => word !== null).join(' '), textLengthMax),
    detail: cut(url, detailLengthMax),
    request: {
      ...request,
      requestBody: requestBody && cut(requestBody, bodyLengthMax),
      responseBody: responseBody && cut(responseBody, bodyLengthMax),
    },
  }
}

function texts(list: unknown): string[] {
  return Array.isArray(list)
    ? list.map((item) => cut(typeof item === 'string' ? item : JSON.stringify(item), detailLengthMax))
    : []
}

function pathOf(href: string): string {
  const url = URL.parse(href)
  return cut(url ? url.pathname + url.search : href, textLengthMax)
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
