import { consoleLevel } from '../../../contract/rrweb.ts'
import type { FactLog } from './fact-log.ts'
import { listOf, numberOf, textOf, type JsonObject } from './json-value.ts'
import { pagePath } from './page-path.ts'
import { safeMessage } from './readable-text.ts'

/** Records errors from a payload of the console plugin. */
export function consoleFacts(log: FactLog, payload: JsonObject, at: number): void {
  const { level, payload: parts } = payload
  if (consoleLevel(level) !== 'error') return
  const message = safeMessage(listOf(parts).map(consoleText).join(' '))
  log.add({ kind: 'console_error', at, about: message ?? 'an error without a message', after: log.cause(at) })
}

/** Records failed requests from a payload of the network plugin. */
export function networkFacts(log: FactLog, requests: readonly JsonObject[], at: number): void {
  for (const request of requests) {
    const status = numberOf(request['status']) ?? numberOf(request['responseStatus'])
    // Some successful requests report status 0; it means failure only for a request with a known method.
    const failed = status !== null && (status >= 400 || (status === 0 && textOf(request['method']) !== ''))
    if (!failed) continue
    const method = textOf(request['method']).toUpperCase().slice(0, 10) || 'GET'
    const path = pagePath(textOf(request['name']))
    const result = status === 0 ? 'got no response' : `returned ${status}`
    log.add({ kind: 'failed_request', at, about: `${method} ${path} ${result}`, after: log.cause(at) })
  }
}

/** Decodes an argument of the console, which the recorder serialises as JSON. */
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
