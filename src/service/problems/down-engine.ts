import { ClickHouseError } from '@clickhouse/client'

export type Engine = 'PostgreSQL' | 'ClickHouse' | 'The object storage'

/** Thrown when ClickHouse or the object storage cannot be used; PostgreSQL errors are recognised by `downEngine`. */
export class EngineDown extends Error {
  readonly engine: Engine

  constructor(engine: Engine, cause: unknown) {
    super(`${engine} cannot be reached`, { cause })
    this.engine = engine
  }
}

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENOENT']
const networkCalls = ['connect', 'read', 'write', 'getaddrinfo']
/**
 * Class 08: connection, except errors in a message of this client (08P01); 57P0x: the server is stopping or starting; 53300: too
 * many connections.
 */
const postgresCodes = /^(?:08(?!P01)...|57P0[1-5]|53300)$/
const postgresMessages =
  /^(?:Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Client (?:has encountered a connection error|was closed)|Cannot use a pool after calling end)/

const fullCodes = ['53100', 'ENOSPC', 'EDQUOT', 'XMinioStorageFull', 'XMinioStorageQuotaExceeded']
/** PostgreSQL reports memory that parallel queries share as a disk, with the same code. */
const sharedMemory = /^could not \w+ shared memory segment/
const fullMessage = /No space left on device|Disk quota exceeded/i
/** Errors that contain a message of the system, but no text of a user: internal and I/O errors of PostgreSQL, file errors of ClickHouse. */
const systemErrors = /^(?:XX000|58030|CANNOT_\w*(?:FILE|FSYNC|DIRECTORY)\w*|STD_EXCEPTION)$/

/** Returns the engine that an error reports as unreachable or out of disk space; null for any other error. */
export function downEngine(error: unknown): Engine | null {
  if (error instanceof EngineDown) return error.engine
  if (error instanceof ClickHouseError) return isDiskFull(error) ? 'ClickHouse' : null
  if (error instanceof AggregateError) return error.errors.some(isDown) ? 'PostgreSQL' : null
  return isDown(error) ? 'PostgreSQL' : null
}

/** Returns the error if its statement caused it. @throws EngineDown if the engine cannot be reached or its disk is full */
export function statementError(error: unknown): ClickHouseError {
  if (error instanceof ClickHouseError && !isDiskFull(error)) return error
  throw new EngineDown('ClickHouse', error)
}

/** Whether an error, or the error that caused it, reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error) || sharedMemory.test(error.message)) return false
  const { type } = error instanceof ClickHouseError ? error : { type: codeOf(error) }
  if (type === 'NOT_ENOUGH_SPACE' || fullCodes.includes(type || error.name)) return true
  return (systemErrors.test(type ?? '') && fullMessage.test(error.message)) || isDiskFull(error.cause)
}

function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  const call = 'syscall' in error ? String(error.syscall) : ''
  const isNetwork = networkCodes.includes(code) && networkCalls.includes(call)
  const isFull = 'severity' in error && isDiskFull(error)
  return isNetwork || isFull || postgresCodes.test(code) || postgresMessages.test(error.message)
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
