import { z } from 'zod'
import { startReceiver } from '../src/service/testing/servers/test-receiver.ts'

const Message = z.object({ id: z.string(), transition: z.string(), title: z.string() })

/** Receives alerts on a port of loopback. */
export async function receiveAlerts() {
  const receiver = await startReceiver()
  receiver.state.answer = (response) => response.end('Thank you.')
  return {
    origin: receiver.origin,
    /** What each message is about, in the order of arrival. */
    transitions: () => receiver.received.map(({ body }) => Message.parse(JSON.parse(body)).transition),
    [Symbol.asyncDispose]: async () => receiver.stop(),
  }
}
