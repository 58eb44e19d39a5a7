import { once } from 'node:events'
import { connect } from 'node:net'
import { hostOf } from '../engines/hosts.ts'
import { sendRequest } from '../http/send-request.ts'
import type { Io, Steps, Trial } from './destination-driver.ts'

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
      await reach(trial, hostOf(url), port, trial.signal)
      return `${host}:${port} accepts connections.`
    },
  }
}

/**
 * Returns the steps that find a server and send it a request over HTTP.
 * @param found returns its URL, and how a message names it, or throws an ExportError
 */
export function respondSteps(
  trial: Trial,
  found: () => { url: string; name: string },
): Pick<Steps, 'Address' | 'Reach'> {
  return {
    async Address() {
      const { url } = found()
      await trial.pin()
      return `The host ${hostOf(url)} was found.`
    },
    async Reach() {
      const { url, name } = found()
      const { signal, hosts } = trial
      await sendRequest(new URL(url).origin, { method: 'HEAD', signal, lookup: hosts.lookup })
      return `${name} responds.`
    },
  }
}

/** Opens a socket to a pinned host and closes it. @throws the error of the connection. */
export async function reach({ hosts }: Pick<Io, 'hosts'>, host: string, port: number, signal: AbortSignal) {
  const [first] = await hosts.addressesOf(host)
  const socket = connect({ host: first?.address ?? '', port, signal })
  await once(socket, 'connect').finally(() => socket.destroy())
}

/** Returns the host and port to which requests for a URL are sent. */
export function addressOf(url: string): { host: string; port: number } {
  const { protocol, port } = new URL(url)
  return { host: hostOf(url), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}
