import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { PrivateDestinations } from '../config.ts'
import { isAllowedAddress } from './allowed-address.ts'

/** Resolves a host name to all its addresses; rejects with the code ENOTFOUND if it has none. */
export type Resolve = (name: string) => Promise<LookupAddress[]>

/** The host has an address to which the service may not connect. */
export class RefusedHost extends Error {}

/**
 * Resolves the hosts that users choose. A name is resolved once, its addresses are checked, and every connection uses
 * them: a name server that later returns a private address has no effect.
 */
export type Hosts = {
  /**
   * Resolves and checks a URL's host; until the returned function is called, all connections to the host use the
   * addresses found. @throws RefusedHost, or the resolver's error.
   */
  pin(url: string, privateAddresses: PrivateDestinations): Promise<() => void>
  /** Returns the addresses of a pinned host, or of any other public one. @throws RefusedHost, or the resolver's error. */
  addressesOf(host: string): Promise<readonly LookupAddress[]>
  /** `addressesOf` as the `lookup` option of sockets and HTTP agents. Node does not call it for an IP address: pin those. */
  lookup: LookupFunction
}

/** Look-ups at a time: half of the threads that `thread-pool.ts` leaves for such work. */
const lookUpsMax = 8
/** Time (ms) after which a name counts as unknown. */
const lookUpMsMax = 5000

type Pin = { addresses: readonly LookupAddress[]; holders: number }

export function openHosts(lookUp: Resolve = (name) => systemLookup(name, { all: true })): Hosts {
  const resolve = limited(lookUp)
  const pins = new Map<string, Pin>()

  const addressesOf = async (host: string) =>
    pins.get(host)?.addresses ?? (await checkedAddresses(resolve, host, 'none'))

  return {
    async pin(url, privateAddresses) {
      const host = hostOf(url)
      const addresses = await checkedAddresses(resolve, host, privateAddresses)
      const pin = pins.get(host) ?? { addresses, holders: 0 }
      // The newest addresses replace older ones: runs may pin a popular store without a break while its addresses change.
      pin.addresses = addresses
      pin.holders += 1
      pins.set(host, pin)
      let isHeld = true
      return () => {
        if (isHeld && --pin.holders === 0) pins.delete(host)
        isHeld = false
      }
    },
    addressesOf,
    lookup(host, options, done) {
      callbackify(addressesOf)(host.toLowerCase(), (error, addresses) => {
        if (error) done(error, '')
        else lookupOf(addresses)(host, options, done)
      })
    },
  }
}

/**
 * Limits look-ups, each of which occupies a thread that files and ClickHouse need until the system gives up, after up to a
 * minute. A name that is not resolved in time, including its wait for earlier ones, has no address; its look-up still counts
 * until it ends. Requests for the same name share one look-up, so that a name server which is down takes one thread per name.
 */
function limited(lookUp: Resolve): Resolve {
  let running = 0
  const waiting: (() => void)[] = []
  const pending = new Map<string, { addresses: Promise<LookupAddress[]>; askers: number }>()
  const lookUpInTurn = async (name: string) => {
    if (running >= lookUpsMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      // Those who asked may have given up meanwhile.
      if (pending.get(name)?.askers === 0) throw unknownName(name)
      return await lookUp(name)
    } finally {
      pending.delete(name)
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
  const begin = (name: string) => {
    const begun = { addresses: lookUpInTurn(name), askers: 0 }
    begun.addresses.catch(() => null)
    pending.set(name, begun)
    return begun
  }
  return async (name) => {
    const shared = pending.get(name) ?? begin(name)
    shared.askers += 1
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(unknownName(name)), lookUpMsMax)
    try {
      return await Promise.race([shared.addresses, late.promise])
    } finally {
      clearTimeout(timer)
      shared.askers -= 1
    }
  }
}

function unknownName(name: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name })
}

/** Resolves a host, which may be an IP address. @throws RefusedHost if any address is not allowed, or the resolver's error. */
export async function checkedAddresses(
  resolve: Resolve,
  host: string,
  privateAddresses: PrivateDestinations,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (addresses.every(({ address }) => isAllowedAddress(address, privateAddresses))) return addresses
  throw new RefusedHost(`The host ${host} is not on the public internet.`)
}

/** Returns a `lookup` option that finds these addresses for any name. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}

/** Returns a URL's host in lower case, an IPv6 address without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
