import {
  consoleArgument,
  consoleLevel,
  consolePlugin,
  isObject,
  isFromPlugin,
  readableData,
  type ConsoleLevel,
  type RecordedEvent,
} from '../../replay/recorded/rrweb.ts'

const messageLengthMax = 4000

/** Returns the level of a console event; null for any other event. */
export function consoleEventLevel(event: RecordedEvent): ConsoleLevel | null {
  const payload = consolePayload(event)
  return payload && consoleLevel(payload['level'])
}

/** Returns a console event's message: its arguments, which rrweb records as JSON, joined by spaces. */
export function consoleMessage(event: RecordedEvent): string {
  const parts = consolePayload(event)?.['payload']
  const texts = Array.isArray(parts) ? parts.map(consoleArgument) : [consoleArgument(parts ?? '')]
  return texts.join(' ').slice(0, messageLengthMax)
}

function consolePayload(event: RecordedEvent): Record<string, unknown> | null {
  if (!isFromPlugin(event, consolePlugin)) return null
  const { payload } = readableData(event)
  return isObject(payload) ? payload : {}
}
