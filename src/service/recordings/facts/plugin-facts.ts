import type { NetworkRequest } from '../../../replay/recorded/network-request.ts'
import { consoleLevel } from '../../../replay/recorded/rrweb.ts'
import type { FactLog } from './fact-log.ts'
import { listOf, textOf, type JsonObject } from './json-value.ts'
import { pagePath } from './page-path.ts'
import { safeMessage } from './readable-text.ts'

/** Records errors from a payload of the console plugin. */
export function consoleFacts(log: FactLog, payload: JsonObject, at: number): void {
  const { level, payload: parts } = payload
  if (consoleLevel(level) !== 'error') return
  const message = safeMessage(listOf(parts).map(consoleText).join(' '))
  log.add({ kind: 'console_error', at, about: message ?? 'an error without a message', after: log.cause(at) })
}

/** Records the failed requests. */
export function networkFacts(log: FactLog, requests: readonly NetworkRequest[], at: number): void {
  for (const { url, method, status, hasFailed } of requests) {
    if (!hasFailed) continue
    const result = status ? `returned ${status}` : 'got no response'
    const about = `${method?.slice(0, 10) ?? 'GET'} ${pagePath(url)} ${result}`
    log.add({ kind: 'failed_request', at, about, after: log.cause(at) })
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
