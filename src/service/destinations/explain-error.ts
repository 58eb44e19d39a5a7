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
  /** Texts that must not appear in the message. */
  secrets: readonly string[]
  hasQuery: boolean
  bucket?: string
  endpoint?: string | undefined
}

/**
 * Rules for errors that another attempt would meet again (`lasting`), and for those that may pass. Messages can contain
 * `{name}` (the bucket's, quoted), `{endpoint}` and `{responder}`.
 */
const lasting = (pattern: RegExp, message: string) => ({ pattern, permanent: true, message })
const passing = (pattern: RegExp, message: string) => ({ pattern, permanent: false, message })

/** Rules in order of precedence, matched against the error's names, codes and texts. */
const rules = [
  lasting(
    /NoSuchBucket|bucket does not exist/i,
    "There is no bucket{name} at {endpoint}: create it, or change the destination's bucket name or region.",
  ),
  lasting(
    /InvalidAccessKeyId|access key id you provided does not exist/i,
    "The store does not know the access key: check the destination's access key id.",
  ),
  lasting(
    /SignatureDoesNotMatch|signature we calculated does not match/i,
    "The store does not accept the secret access key: enter the destination's credentials again.",
  ),
  lasting(
    /ExpiredToken|TokenRefreshRequired|InvalidToken/i,
    'The credentials have expired: enter new ones in the destination.',
  ),
  lasting(
    /AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint|the region .* is wrong|must be addressed using the specified endpoint/i,
    "The bucket{name} is in another region: change the destination's region.",
  ),
  lasting(
    /TOO_MANY_REDIRECTS/,
    "{endpoint} redirects to another address: enter the store's own endpoint in the destination.",
  ),
  lasting(
    /is not on the public internet/,
    "{endpoint} redirects to a private network: enter the store's own endpoint in the destination.",
  ),
  lasting(
    /KMS\.|KMSInvalid|kms:GenerateDataKey/i,
    "The KMS key cannot be used: check the destination's key id and the permissions of its credentials.",
  ),
  lasting(
    /ACCESS_DENIED|AccessDenied|Access Denied|AllAccessDisabled|Forbidden|\b403\b/i,
    'Writing to the bucket{name} was denied: allow these credentials to put, get and delete objects there, or enter other credentials.',
  ),
  lasting(
    /InvalidBucketName|Bucket name length|Invalid S3 (URI|key)|Bucket or key name are invalid|\bInvalidURI\b/i,
    "The bucket{name} or the object key is not allowed by S3: change the destination's bucket name or prefix.",
  ),
  lasting(
    /certificate|self.signed|SSL routines|SSL_ERROR|UNABLE_TO_VERIFY|EPROTO|TLS/i,
    'No secure connection to {endpoint} could be established: check that the endpoint supports HTTPS and has a valid certificate.',
  ),
  passing(
    /DNS_ERROR|ENOTFOUND|EAI_AGAIN|Not found address of host|Host not found/i,
    "The host of {endpoint} was not found: check the destination's endpoint and region.",
  ),
  passing(
    /ECONNREFUSED|Connection refused/i,
    "{endpoint} refused the connection: check the destination's endpoint and that the store is running.",
  ),
  passing(
    /SlowDown|TooManyRequests|reduce your request rate/i,
    'The store at {endpoint} receives too many requests at the moment.',
  ),
  // Stores behind a failing gateway respond with a web page, from which the engine reads no code and no message.
  passing(
    /Message: ,|Deserialization error/,
    "{endpoint} responded with an error that is not S3's: check the destination's endpoint, and that the store is running.",
  ),
  passing(
    /ServiceUnavailable|InternalError|\b50[0234]\b/i,
    'The store at {endpoint} is not available at the moment.',
  ),
  passing(
    /NoSuchKey|NoSuchUpload|\b404\b/i,
    "The object was not found in the bucket{name} right after it was written: check the destination's bucket name.",
  ),
  passing(/ENOSPC|EDQUOT|NOT_ENOUGH_SPACE|No space left/i, 'The disk is full: free some space.'),
  lasting(
    /EACCES|EPERM|EROFS|Permission denied|Read-only file system/i,
    'The service is not allowed to write there: give its user write access to the exports folder.',
  ),
  lasting(
    /ENOTDIR|EISDIR|EEXIST|ELOOP|ENAMETOOLONG|File exists|Not a directory|Is a directory/i,
    "No file can be created at the destination's path: a file is where a folder should be, or the name is too long. Change the path.",
  ),
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
  const rule = rules.find(({ pattern }) => pattern.test(raw))
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
