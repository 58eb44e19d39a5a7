import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AssetPolicy } from '../../recordings/assets/asset-policy.ts'
import { testNames } from '../test-engines.ts'
import { startHttpServer } from './test-http-server.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown
export type TestAssetServer = Awaited<ReturnType<typeof startAssetServer>>

export const png = Buffer.from('\x89PNG\r\n\x1a\n lamp', 'latin1')

/** Starts a file server on loopback; a path without a response returns 404. */
export async function startAssetServer() {
  const answers = new Map<string, Answer>()
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  let running = 0
  let runningMost = 0
  const { port, origin, stop } = await startHttpServer((request, response) => {
    const path = request.url ?? '/'
    requests.push({ path, headers: request.headers })
    running += 1
    runningMost = Math.max(runningMost, running)
    response.once('close', () => (running -= 1))
    const answer = answers.get(path)
    if (answer) void answer(response, request)
    else response.writeHead(404).end()
  })
  /** Names that were looked up, all of them in `testNames`. */
  const lookups: string[] = []
  const policy: AssetPolicy = {
    async resolve(name) {
      lookups.push(name)
      const address = testNames.get(name)?.()
      if (address === undefined) throw new Error(`${name} is unknown`)
      return [{ address, family: 4 }]
    },
    privateAddresses: 'loopback',
    ports: [String(port)],
    reserved: /(?!)/,
  }
  return {
    port,
    origin,
    requests,
    lookups,
    /** Allows the vault to connect to this server. */
    policy,
    /** Largest number of concurrent requests. */
    runningMost: () => runningMost,
    answer(path: string, content: Answer | string | Buffer) {
      answers.set(path, typeof content === 'function' ? content : (response) => response.end(content))
    },
    redirect(path: string, location: string) {
      answers.set(path, (response) => response.writeHead(302, { location }).end())
    },
    stop,
  }
}
