export type Engine = 'PostgreSQL' | 'ClickHouse' | 'The object storage'

/** Thrown when ClickHouse or the object storage cannot be reached; PostgreSQL errors are recognised by `downEngine`. */
export class EngineDown extends Error {
  readonly engine: Engine

  constructor(engine: Engine, cause: unknown) {
    super(`${engine} cannot be reached`, { cause })
    this.engine = engine
  }
}

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENOENT']
const networkCalls = ['connect', 'read', 'write', 'getaddrinfo']
/** Class 08: connection, except errors in a message of this client (08P01); 57P0x: the server is stopping or starting; 53300: too many connections. */
const postgresCodes = /^(?:08(?!P01)...|57P0[1-5]|53300)$/
const postgresMessages =
  /^(?:Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Client (?:has encountered a connection error|was closed)|Cannot use a pool after calling end)/

/** Returns the engine that an error reports as unreachable; null for any other error. */
export function downEngine(error: unknown): Engine | null {
  if (error instanceof EngineDown) return error.engine
  if (error instanceof AggregateError) return error.errors.some(isDown) ? 'PostgreSQL' : null
  return isDown(error) ? 'PostgreSQL' : null
}

function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const call = 'syscall' in error ? String(error.syscall) : ''
  const isNetwork = networkCodes.includes(code) && networkCalls.includes(call)
  return isNetwork || postgresCodes.test(code) || postgresMessages.test(error.message)
}
