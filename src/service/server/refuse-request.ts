import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '../../contract/problem.ts'

/** Rejects a malformed HTTP request with the API's usual error body, and closes the connection. */
export function refuseRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const requestId = randomUUID()
  const detail = `${STATUS_CODES[status]}.`
  const problem: Problem = {
    type: 'invalid_request',
    code: 'parse_error',
    detail,
    attr: null,
    request_id: requestId,
  }
  const body = JSON.stringify(problem)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
