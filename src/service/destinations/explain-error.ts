import { ClickHouseError } from '@clickhouse/client'
import { fillVariables } from '../../contract/destinations/object-path.ts'
import { ExportError } from '../problems/export-error.ts'

export type Explanation = {
  /** Whether another attempt would fail the same way. */
  permanent: boolean
  /** What went wrong and what to do, then the original error of the engine or the store, without secrets. */
  message: string
}

export type ExplainedExport = {
  /** Meanings of the destination's errors, in order of precedence. */
  rules: readonly ErrorRule[]
  /** Texts that must not appear in the message. */
  secrets: readonly string[]
  hasQuery: boolean
  bucket?: string
  endpoint?: string | undefined
}

/** The pattern is matched against the error's names, codes and texts. */
type ErrorRule = Explanation & { pattern: RegExp }

/**
 * Rules for errors that another attempt would meet again (`lasting`), and for those that may pass. Messages can contain
 * `{name}` (the bucket's, quoted), `{endpoint}` and `{responder}`.
 */
export const lasting = (pattern: RegExp, message: string) => ({ pattern, permanent: true, message })
export const passing = (pattern: RegExp, message: string) => ({ pattern, permanent: false, message })

/** Rules for a host to which no socket can be opened; say what to check if it is not found, and if it refuses the connection. */
export const unreachable = (ifNotFound: string, ifRefused: string) => [
  passing(/ENOTFOUND|EAI_AGAIN/, `The host of {endpoint} was not found: check ${ifNotFound}.`),
  passing(/ECONNREFUSED/, `{endpoint} refused the connection: check ${ifRefused}.`),
]

/** Rules for errors that any destination can have, after its own. */
const commonRules = [
  passing(/ENOSPC|EDQUOT|NOT_ENOUGH_SPACE|No space left/i, 'The disk is full: free some space.'),
  passing(/MEMORY_LIMIT_EXCEEDED/i, 'The export needed more memory than a run may use.'),
  passing(/QUERY_WAS_CANCELLED/i, 'The statement that writes the file was stopped.'),
  passing(/TIMEOUT|ETIMEDOUT|timed? ?out/i, '{responder} did not respond in time.'),
  passing(
    /NETWORK_ERROR|SOCKET|NETUNREACH|EHOSTUNREACH|ECONNRESET|EPIPE|Connection reset|No route|unreachable|SSL connection unexpectedly closed/i,
    'The connection to {endpoint} was lost: check the network between the service and the store.',
  ),
]

/** Errors that a query's expressions can raise; without a query they indicate a bug in the service. */
const queryErrors =
  /CANNOT_|ILLEGAL_|TYPE_MISMATCH|BAD_ARGUMENTS|UNKNOWN_IDENTIFIER|UNKNOWN_FUNCTION|SYNTAX_ERROR|NO_COMMON_TYPE|ARGUMENT_OUT_OF_BOUND|NUMBER_OF_ARGUMENTS|DECIMAL_OVERFLOW|TOO_LARGE|VALUE_IS_OUT_OF_RANGE|AMBIGUOUS/

/** Explains an export's error and what to do about it. */
export function explainError(error: unknown, target: ExplainedExport): Explanation {
  if (error instanceof ExportError)
    return { permanent: error.permanent, message: scrub(error.message, target) }
  const raw = rawText(error)
  const rule = [...target.rules, ...commonRules].find(({ pattern }) => pattern.test(raw))
  const original = shorten(scrub(raw, target))
  if (rule) {
    const { bucket, endpoint } = target
    const message = fillVariables(rule.message, {
      name: bucket === undefined ? '' : ` "${bucket}"`,
      endpoint: endpoint ?? 'the endpoint',
      responder: endpoint ?? 'The engine',
    })
    return { permanent: rule.permanent, message: `${message} (${original})` }
  }
  if (target.hasQuery && queryErrors.test(raw))
    return { permanent: true, message: `The export's query cannot be computed: change it. (${original})` }
  return { permanent: false, message: `The export failed. (${original})` }
}

function rawText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : ''
  const status =
    '$metadata' in error ? JSON.stringify(error.$metadata).match(/"httpStatusCode":(\d+)/)?.[1] : ''
  const names =
    error instanceof ClickHouseError
      ? [error.type ?? '']
      : [error.name === 'Error' ? '' : error.name, String(code), status ?? '']
  const inner = error instanceof AggregateError ? error.errors.map(rawText) : []
  return [...names, error.message, ...inner].filter(Boolean).join(' ')
}

/** Longest original message, in characters: with its explanation, it fits in a log entry. */
const originalMax = 3000

function shorten(text: string): string {
  const plain = text
    .replace(/[\s\0]+/g, ' ')
    .replace(/ \(version [\d.]+\)/g, '')
    .trim()
  const rest = plain.length - originalMax
  return rest > 0 ? `${plain.slice(0, originalMax)} and ${rest} more characters` : plain
}

function scrub(text: string, { secrets }: ExplainedExport): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
}
