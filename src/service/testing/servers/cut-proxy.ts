import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../../engines/loopback.ts'

/**
 * What happens once a client sends `text`, after it has sent `armedBy`: the connection is cut before or after the text is
 * forwarded, or nothing more is forwarded.
 */
export type Fault = { at: 'before' | 'after' | 'hang'; text: string; armedBy?: string }

/** Forwards connections to a port of this machine until the fault happens to one of them. */
export async function startCutProxy(port: number) {
  let fault: Fault | null = null
  let isArmed = false
  let faults = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let isHung = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    client.on('data', (data) => {
      if (isHung) return
      const isHit = fault !== null && isArmed && data.includes(fault.text)
      isArmed ||= fault?.armedBy !== undefined && data.includes(fault.armedBy)
      if (isHit) faults += 1
      if (isHit && fault?.at === 'before') return cut()
      isHung = isHit
      if (isHit && fault?.at === 'hang') return
      upstream.write(data)
      // An answer, which is not forwarded, shows that the server has executed it.
      if (isHit) upstream.once('data', cut)
    })
    upstream.on('data', (data) => void (isHung || client.write(data)))
    client.on('close', () => upstream.destroy())
    // What was received is still sent.
    upstream.on('close', () => client.end())
  })
  return {
    port: await listenOnLoopback(server),
    /** Number of times that the fault has happened. */
    faults: () => faults,
    break(next: Fault | null) {
      fault = next
      isArmed = next?.armedBy === undefined
      faults = 0
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
