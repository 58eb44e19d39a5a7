import { Agent, get } from 'node:http'

const agent = new Agent({ keepAlive: true })

/**
 * The time (milliseconds) that this share of so many answers keeps to, one asked after the other, after a tenth more to warm up.
 */
export async function answerTime(
  requests: number,
  share: number,
  ask: (request: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = []
  const warmUp = Math.ceil(requests / 10)
  for (let request = 0; request < requests + warmUp; request++) {
    const began = performance.now()
    await ask(request)
    times.push(performance.now() - began)
  }
  const sorted = times.slice(warmUp).sort((a, b) => a - b)
  return sorted[Math.ceil(requests * share) - 1] ?? NaN
}

/**
 * Receives an answer and lets go of it: what it takes to collect the garbage of half a megabyte of text here is no time of the
 * service. @throws when it is not 200.
 */
export function receive(url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.resume().once('end', resolve).once('error', reject)
    })
    request.once('error', reject)
  })
}
