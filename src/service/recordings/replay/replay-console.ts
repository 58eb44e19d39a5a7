import {
  consoleArgument,
  consoleLevel,
  consolePlugin,
  isObject,
  isOfPlugin,
  readableData,
  type ConsoleLevel,
  type RecordedEvent,
} from '../../../contract/rrweb.ts'

const messageLimit = 4000

/** The level that a line of the page's console counts as; null when the event is no such line. */
export function consoleEventLevel(event: RecordedEvent): ConsoleLevel | null {
  const payload = consolePayload(event)
  return payload && consoleLevel(payload['level'])
}

/** What the page wrote into its console: the parts, which rrweb gives as JSON, joined by blanks. */
export function consoleMessage(event: RecordedEvent): string {
  const parts = consolePayload(event)?.['payload']
  const texts = Array.isArray(parts) ? parts.map(consoleArgument) : [consoleArgument(parts ?? '')]
  return texts.join(' ').slice(0, messageLimit)
}

function consolePayload(event: RecordedEvent): Record<string, unknown> | null {
  if (!isOfPlugin(event, consolePlugin)) return null
  const { payload } = readableData(event)
  return isObject(payload) ? payload : {}
}
