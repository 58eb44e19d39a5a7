import {
  consoleArgument,
  consoleLevel,
  consolePlugin,
  isClick,
  isObject,
  isFromPlugin,
  networkPlugin,
  pageAddress,
  type WindowEvent,
} from '../../../contract/rrweb.ts'
import type { Mark } from '../player/player-messages.ts'

const textLengthMax = 300
const detailLengthMax = 4_000

/** A mark with its absolute time, in milliseconds since the epoch. */
type TimedMark = Omit<Mark, 'at'> & { time: number }

/** Returns a function that finds the marks in each event of a recording; pass it the events in chronological order. */
export function createMarkFinder(): (event: WindowEvent) => TimedMark[] {
  const addresses = new Map<string, string>()
  return ({ window, event }) => {
    const time = event.timestamp
    if (isClick(event)) return [{ kind: 'click', time, text: 'Click', detail: '' }]
    const address = pageAddress(event)
    if (address !== '' && addresses.get(window) !== address) {
      addresses.set(window, address)
      return [{ kind: 'page', time, text: pathOf(address), detail: cut(address, detailLengthMax) }]
    }
    const { payload } = event.data
    if (!isObject(payload)) return []
    if (isFromPlugin(event, consolePlugin)) return [consoleMark(payload, time)]
    return isFromPlugin(event, networkPlugin) ? requestMarks(payload, time) : []
  }
}

function consoleMark({ level, payload, trace }: Record<string, unknown>, time: number): TimedMark {
  const text = (Array.isArray(payload) ? payload.map(consoleArgument) : []).join(' ')
  return {
    kind: consoleLevel(level),
    time,
    text: cut(text, textLengthMax),
    detail: cut([text, ...texts(trace)].join('\n'), detailLengthMax),
  }
}

function requestMarks({ requests }: Record<string, unknown>, time: number): TimedMark[] {
  if (!Array.isArray(requests)) return []
  return requests.filter(isObject).flatMap((request): TimedMark[] => {
    const { name, method, timestamp, duration } = request
    if (typeof name !== 'string' || request['entryType'] === 'navigation') return []
    const status = request['responseStatus'] ?? request['status']
    const hasFailed = typeof status === 'number' && (status >= 400 || status === 0)
    const words = [
      typeof method === 'string' ? method : 'GET',
      pathOf(name),
      typeof status === 'number' ? status : '',
      typeof duration === 'number' ? `${Math.round(duration)} ms` : '',
    ]
    return [
      {
        kind: hasFailed ? 'failed request' : 'request',
        time: typeof timestamp === 'number' ? timestamp : time,
        text: cut(words.filter((word) => word !== '').join(' '), textLengthMax),
        detail: cut(name, detailLengthMax),
      },
    ]
  })
}

function texts(list: unknown): string[] {
  return Array.isArray(list)
    ? list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    : []
}

function pathOf(href: string): string {
  const url = URL.parse(href)
  return cut(url ? url.pathname + url.search : href, textLengthMax)
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
