import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

/**
 * Posts a body over a connection that is kept. `fetch` would take twice the processor time, which a service on the same machine
 * would lack.
 * @throws if the status is not 200
 */
export function sendBody(url: string, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })
}
