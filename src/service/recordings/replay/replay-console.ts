import { isObject, readableData, replayTypes, type ReplayEvent } from './replay-event.ts'

export type ConsoleLevel = 'log' | 'warn' | 'error'

const consolePlugin = 'rrweb/console@1'
const messageLimit = 4000

/** The level that a line of the page's console counts as; null when the event is no such line. */
export function consoleLevel(event: ReplayEvent): ConsoleLevel | null {
  const payload = consolePayload(event)
  if (!payload) return null
  const level = payload['level']
  if (level === 'warn') return 'warn'
  return level === 'error' || level === 'assert' ? 'error' : 'log'
}

/** What the page wrote into its console: the parts, which rrweb gives as JSON, joined by blanks. */
export function consoleMessage(event: ReplayEvent): string {
  const parts = consolePayload(event)?.['payload']
  const texts = Array.isArray(parts) ? parts.map(partText) : [partText(parts ?? '')]
  return texts.join(' ').slice(0, messageLimit)
}

function consolePayload(event: ReplayEvent): Record<string, unknown> | null {
  if (event.type !== replayTypes.plugin) return null
  const { plugin, payload } = readableData(event)
  if (plugin !== consolePlugin) return null
  return isObject(payload) ? payload : {}
}

function partText(part: unknown): string {
  if (typeof part !== 'string') return JSON.stringify(part)
  if (!part.startsWith('"')) return part
  try {
    return String(JSON.parse(part))
  } catch {
    // A text that merely begins with a quotation mark, or that rrweb has cut.
    return part
  }
}
