import { once } from 'node:events'
import { connect } from 'node:net'
import { hostOf } from '../engines/hosts.ts'
import type { Steps, Trial } from './destination-driver.ts'

/** Returns the steps that find a server and open a socket to it. `url` names its host and port. */
export function reachSteps(
  trial: Trial,
  url: string,
  { host, port }: { host: string; port: number },
): Pick<Steps, 'Address' | 'Reach'> {
  return {
    async Address() {
      await trial.pin()
      return `The host ${host} was found.`
    },
    async Reach() {
      const [first] = await trial.hosts.addressesOf(hostOf(url))
      const socket = connect({ host: first?.address ?? '', port, signal: trial.signal })
      await once(socket, 'connect').finally(() => socket.destroy())
      return `${host}:${port} accepts connections.`
    },
  }
}
