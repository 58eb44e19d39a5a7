export type Engine = 'PostgreSQL' | 'ClickHouse' | 'The object storage'

/** Raised around a call to an engine other than PostgreSQL when it cannot be reached. */
export class EngineDown extends Error {
  readonly engine: Engine

  constructor(engine: Engine, cause: unknown) {
    super(`${engine} cannot be reached`, { cause })
    this.engine = engine
  }
}

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENOENT']
const networkCalls = ['connect', 'read', 'write', 'getaddrinfo']
/** Class 08: connection; 57P0x: the server is stopping or starting; 53300: too many connections. */
const postgresCodes = /^(?:08...|57P0[1-5]|53300)$/
const postgresMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Which engine an error says is out of reach, null when the error is about something else. */
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
