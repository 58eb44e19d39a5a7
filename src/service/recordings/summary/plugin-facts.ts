import { consoleLevel } from '../../../contract/rrweb.ts'
import type { FactLog } from './fact-log.ts'
import { listOf, numberOf, textOf, type JsonObject } from './json-value.ts'
import { pagePath } from './page-path.ts'
import { safeMessage } from './readable-text.ts'

/** Errors on the console, from the payload of the console's plugin. */
export function consoleFacts(log: FactLog, payload: JsonObject, at: number): void {
  const { level, payload: parts } = payload
  if (consoleLevel(level) !== 'error') return
  const message = safeMessage(listOf(parts).map(consoleText).join(' '))
  log.add({ kind: 'console_error', at, about: message ?? 'an error without a text', after: log.cause(at) })
}

/** Those requests that failed, from the payload of the network's plugin. */
export function networkFacts(log: FactLog, requests: readonly JsonObject[], at: number): void {
  for (const request of requests) {
    const status = numberOf(request['status']) ?? numberOf(request['responseStatus'])
    // Pages ask for things in ways that say 0 although nothing failed; only a wrapped request's own status may be 0.
    const failed = status !== null && (status >= 400 || (status === 0 && textOf(request['method']) !== ''))
    if (!failed) continue
    const method = textOf(request['method']).toUpperCase().slice(0, 10) || 'GET'
    const path = pagePath(textOf(request['name']))
    const answer = status === 0 ? 'got no answer' : `was answered with ${status}`
    log.add({ kind: 'failed_request', at, about: `${method} ${path} ${answer}`, after: log.cause(at) })
  }
}

/** The recorder writes each argument of the console as JSON. */
function consoleText(part: unknown): string {
  const text = textOf(part)
  if (!text.startsWith('"')) return text
  try {
    return textOf(JSON.parse(text))
  } catch {
    // Cut off by the recorder.
    return text.slice(1)
  }
}
