import { connect } from 'node:net'
import { quantile } from './bench-figure.ts'

/**
 * Measures a percentile of response times: sends the requests one after another, after a tenth as many warm-up requests.
 * @returns the time (ms) within which `share` of the responses arrive
 */
export async function responseTime(
  requests: number,
  share: number,
  send: (request: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = []
  const warmUp = Math.ceil(requests / 10)
  for (let request = 0; request < warmUp + requests; request++) {
    const started = performance.now()
    await send(request)
    if (request >= warmUp) times.push(performance.now() - started)
  }
  return quantile(times, share)
}

/** Bytes of a response, each chunk over the one before. */
const received = Buffer.alloc(65_536)

/**
 * Receives a response over a new connection into one buffer and discards it. Node's client allocates every chunk; at half a
 * megabyte per response, its garbage collection would be the p95.
 * @throws if the status is not 200
 */
export function receive(url: string, headers: Record<string, string>): Promise<void> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return new Promise((resolve, reject) => {
    let status = ''
    const callback = () => {
      status ||= received.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
      return true
    }
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: received, callback } })
    socket.once('error', reject)
    socket.once('close', () =>
      status === '200' ? resolve() : reject(new Error(`${url}: ${status || 'no response'}`)),
    )
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  })
}
