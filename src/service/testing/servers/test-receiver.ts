import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttpServer } from './test-http-server.ts'

type ReceivedMessage = { path: string; headers: IncomingHttpHeaders; body: string }
export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>

/** Starts a server on loopback that receives alerts. It answers 200 unless `answer` is set. */
export async function startReceiver() {
  const received: ReceivedMessage[] = []
  const state: { answer: (response: ServerResponse, message: ReceivedMessage) => void } = {
    answer: (response) => response.end('ok'),
  }
  const server = await startHttpServer((request, response) => {
    const receive = async () => {
      const message = { path: request.url ?? '', headers: request.headers, body: await text(request) }
      received.push(message)
      state.answer(response, message)
    }
    receive().catch(() => response.destroy())
  })
  return { ...server, received, state }
}
