import { Agent, get } from 'node:http'

const agent = new Agent({ keepAlive: true })

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
  for (let request = 0; request < requests + warmUp; request++) {
    const started = performance.now()
    await send(request)
    times.push(performance.now() - started)
  }
  const sorted = times.slice(warmUp).sort((a, b) => a - b)
  return sorted[Math.ceil(requests * share) - 1] ?? NaN
}

/**
 * Receives a response and discards it, because collecting half a megabyte of garbage here would distort the service's time.
 * @throws if the status is not 200
 */
export function receive(url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    })
    request.once('error', reject)
  })
}
