import type { Mark, MarkKind } from '../player/player-messages.ts'
import { isObject, sources, types, type WindowEvent } from './replay-event.ts'

/** rrweb's numbers for click, context menu, double click and the end of a touch. */
const clicks: readonly unknown[] = [2, 3, 4, 9]
const textMax = 300
const detailMax = 4_000

type Found = Omit<Mark, 'at'> & { time: number }

/** Finds what a timeline and a list show of events that come in the order of time; times in milliseconds since the epoch. */
export function createMarking(): (read: WindowEvent) => Found[] {
  const addresses = new Map<string, string>()
  return ({ window, event: { type, timestamp: time, data } }) => {
    if (type === types.incremental)
      return data['source'] === sources.mouseInteraction && clicks.includes(data['type'])
        ? [{ kind: 'click', time, text: 'Click', detail: '' }]
        : []
    if (type === types.meta || type === types.custom) {
      const href = addressIn(type, data)
      if (href === null || addresses.get(window) === href) return []
      addresses.set(window, href)
      return [{ kind: 'page', time, text: pathOf(href), detail: cut(href, detailMax) }]
    }
    if (type !== types.plugin || !isObject(data['payload'])) return []
    if (data['plugin'] === 'rrweb/console@1') return [consoleMark(data['payload'], time)]
    return data['plugin'] === 'rrweb/network@1' ? requestMarks(data['payload'], time) : []
  }
}

function addressIn(type: number, data: Record<string, unknown>): string | null {
  const isPage = data['tag'] === '$pageview' || data['tag'] === '$url_changed'
  const holder = type === types.meta ? data : isPage ? data['payload'] : null
  const href = isObject(holder) ? holder['href'] : null
  return typeof href === 'string' && href !== '' ? href : null
}

function consoleMark({ level, payload, trace }: Record<string, unknown>, time: number): Found {
  const text = texts(payload).map(unquote).join(' ')
  return {
    kind: consoleKind(level),
    time,
    text: cut(text, textMax),
    detail: cut([text, ...texts(trace)].join('\n'), detailMax),
  }
}

function consoleKind(level: unknown): MarkKind {
  if (level === 'error' || level === 'assert') return 'error'
  return level === 'warn' ? 'warn' : 'log'
}

function requestMarks({ requests }: Record<string, unknown>, time: number): Found[] {
  if (!Array.isArray(requests)) return []
  return requests.filter(isObject).flatMap((request): Found[] => {
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
        text: cut(words.filter((word) => word !== '').join(' '), textMax),
        detail: cut(name, detailMax),
      },
    ]
  })
}

/** What the console was given, as it was recorded: texts in JSON. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    return String(JSON.parse(text))
  } catch {
    // Cut off while it was recorded.
    return text
  }
}

function texts(list: unknown): string[] {
  return Array.isArray(list)
    ? list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    : []
}

function pathOf(href: string): string {
  const url = URL.parse(href)
  return cut(url ? url.pathname + url.search : href, textMax)
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
