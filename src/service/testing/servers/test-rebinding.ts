import { once } from 'node:events'
import { createServer } from 'node:net'
import { testNames } from '../test-engines.ts'

/**
 * Resolves `rebinding.test` to 127.0.0.1 at the first look-up, and to 127.0.0.2 afterwards, where another server on this
 * port counts its connections.
 */
export async function startRebinding(port: number) {
  let lookups = 0
  let stray = 0
  const other = createServer((socket) => {
    stray += 1
    socket.destroy()
  }).listen(port, '127.0.0.2')
  await once(other, 'listening')
  testNames.set('rebinding.test', () => (lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'))
  return {
    host: `rebinding.test:${port}`,
    lookups: () => lookups,
    /** Connections to the other server. */
    stray: () => stray,
    stop() {
      testNames.delete('rebinding.test')
      other.close()
    },
  }
}
