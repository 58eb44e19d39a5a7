import { ClickHouseError } from '@clickhouse/client'
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
  endpoint?: string
}

type Rule = { pattern: RegExp; permanent: boolean; message: (target: ExplainedExport) => string }

const at = ({ endpoint }: ExplainedExport) => endpoint ?? 'the endpoint'
const bucketOf = ({ bucket }: ExplainedExport) =>
  bucket === undefined ? 'the bucket' : `the bucket "${bucket}"`

/** Rules in order of precedence, matched against the error's names, codes and texts. */
const rules: readonly Rule[] = [
  {
    pattern: /NoSuchBucket|bucket does not exist/i,
    permanent: true,
    message: (target) =>
      `There is no ${bucketOf(target).slice(4)} at ${at(target)}: create it, or change the destination's bucket name or region.`,
  },
  {
    pattern: /InvalidAccessKeyId|access key id you provided does not exist/i,
    permanent: true,
    message: () => `The store does not know the access key: check the destination's access key id.`,
  },
  {
    pattern: /SignatureDoesNotMatch|signature we calculated does not match/i,
    permanent: true,
    message: () =>
      `The store does not accept the secret access key: enter the destination's credentials again.`,
  },
  {
    pattern: /ExpiredToken|TokenRefreshRequired|InvalidToken/i,
    permanent: true,
    message: () => `The credentials have expired: enter new ones in the destination.`,
  },
  {
    pattern:
      /AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint|the region .* is wrong|must be addressed using the specified endpoint/i,
    permanent: true,
    message: (target) =>
      `${bucketOf(target)} is in another region: change the destination's region.`.replace(/^t/, 'T'),
  },
  {
    pattern: /TOO_MANY_REDIRECTS/,
    permanent: true,
    message: (target) =>
      `${at(target)} redirects to another address: enter the store's own endpoint in the destination.`,
  },
  {
    pattern: /is not on the public internet/,
    permanent: true,
    message: (target) =>
      `${at(target)} redirects to a private network: enter the store's own endpoint in the destination.`,
  },
  {
    pattern: /KMS\.|KMSInvalid|kms:GenerateDataKey/i,
    permanent: true,
    message: () =>
      `The KMS key cannot be used: check the destination's key id and the permissions of its credentials.`,
  },
  {
    pattern: /ACCESS_DENIED|AccessDenied|Access Denied|AllAccessDisabled|Forbidden|\b403\b/i,
    permanent: true,
    message: (target) =>
      `Writing to ${bucketOf(target)} was denied: allow these credentials to put, get and delete objects there, or enter other credentials.`,
  },
  {
    pattern:
      /InvalidBucketName|Bucket name length|Invalid S3 (URI|key)|Bucket or key name are invalid|\bInvalidURI\b/i,
    permanent: true,
    message: (target) =>
      `${bucketOf(target)} or the object key is not allowed by S3: change the destination's bucket name or prefix.`.replace(
        /^t/,
        'T',
      ),
  },
  {
    pattern: /certificate|self.signed|SSL routines|SSL_ERROR|UNABLE_TO_VERIFY|EPROTO|TLS/i,
    permanent: true,
    message: (target) =>
      `No secure connection to ${at(target)} could be established: check that the endpoint supports HTTPS and has a valid certificate.`,
  },
  {
    pattern: /DNS_ERROR|ENOTFOUND|EAI_AGAIN|Not found address of host|Host not found/i,
    permanent: false,
    message: (target) =>
      `The host of ${at(target)} was not found: check the destination's endpoint and region.`,
  },
  {
    pattern: /ECONNREFUSED|Connection refused/i,
    permanent: false,
    message: (target) =>
      `${at(target)} refused the connection: check the destination's endpoint and that the store is running.`,
  },
  {
    pattern: /SlowDown|TooManyRequests|reduce your request rate/i,
    permanent: false,
    message: (target) => `The store at ${at(target)} receives too many requests at the moment.`,
  },
  {
    // Stores behind a failing gateway respond with a web page, from which the engine reads no code and no message.
    pattern: /Message: ,|Deserialization error/,
    permanent: false,
    message: (target) =>
      `${at(target)} responded with an error that is not S3's: check the destination's endpoint, and that the store is running.`,
  },
  {
    pattern: /ServiceUnavailable|InternalError|\b50[0234]\b/i,
    permanent: false,
    message: (target) => `The store at ${at(target)} is not available at the moment.`,
  },
  {
    pattern: /NoSuchKey|NoSuchUpload|\b404\b/i,
    permanent: false,
    message: (target) =>
      `The object was not found in ${bucketOf(target)} right after it was written: check the destination's bucket name.`,
  },
  {
    pattern: /ENOSPC|EDQUOT|NOT_ENOUGH_SPACE|No space left/i,
    permanent: false,
    message: () => `The disk is full: free some space.`,
  },
  {
    pattern: /EACCES|EPERM|EROFS|Permission denied|Read-only file system/i,
    permanent: true,
    message: () =>
      `The service is not allowed to write there: give its user write access to the exports folder.`,
  },
  {
    pattern: /ENOTDIR|EISDIR|EEXIST|ELOOP|ENAMETOOLONG|File exists|Not a directory|Is a directory/i,
    permanent: true,
    message: () =>
      `No file can be created at the destination's path: a file is where a folder should be, or the name is too long. Change the path.`,
  },
  {
    pattern: /MEMORY_LIMIT_EXCEEDED/i,
    permanent: false,
    message: () => `The export needed more memory than a run may use.`,
  },
  {
    pattern: /QUERY_WAS_CANCELLED/i,
    permanent: false,
    message: () => `The statement that writes the file was stopped.`,
  },
  {
    pattern: /TIMEOUT|ETIMEDOUT|timed? ?out/i,
    permanent: false,
    message: (target) =>
      `${target.endpoint === undefined ? 'The engine' : at(target)} did not respond in time.`,
  },
  {
    pattern:
      /NETWORK_ERROR|SOCKET|NETUNREACH|EHOSTUNREACH|ECONNRESET|EPIPE|Connection reset|No route|unreachable|SSL connection unexpectedly closed/i,
    permanent: false,
    message: (target) =>
      `The connection to ${at(target)} was lost: check the network between the service and the store.`,
  },
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
  if (rule) return { permanent: rule.permanent, message: `${rule.message(target)} (${original})` }
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
