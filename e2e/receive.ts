import { Agent, get } from 'node:http'

const agent = new Agent({ keepAlive: true })

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
