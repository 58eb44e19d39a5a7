import type { Readable } from 'node:stream'
import type { BodyBudget } from './body-budget.ts'

const stallMsMax = 10_000
const beginningBytes = 16 * 1024

/** Why a body was not received completely. */
export class BodyRefused extends Error {
  override name = 'BodyRefused'
  readonly reason: 'too large' | 'no room' | 'stalled' | 'incomplete'

  constructor(reason: BodyRefused['reason'], options?: ErrorOptions) {
    super(`the body was refused: ${reason}`, options)
    this.reason = reason
  }
}

export type ReceivedBody = {
  bytes: Buffer
  /** Returns the body's bytes to the budget; the caller must call it once the bytes are no longer needed. */
  release(): void
}

type Options = {
  bytesMax: number
  budget: BodyBudget
  /** Milliseconds without data after which the body counts as stalled. */
  stallMs?: number
  /** Checks the beginning of a long body; a rejection refuses the body before the rest has arrived. */
  inspect?: (beginning: Buffer) => Promise<void>
}

/**
 * Receives a request's body. After a refusal, the rest is read and dropped so that the client gets the response, and the
 * connection is closed once data stops arriving.
 * @throws BodyRefused, or the error of `inspect`.
 */
export function receiveBody(stream: Readable, { bytesMax, budget, stallMs = stallMsMax, inspect }: Options) {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedBody>()
  let chunks: Buffer[] = []
  let length = 0
  let isSettled = false
  const holding = budget.open(() => refuse(new BodyRefused('no room')))

  function refuse(error: unknown): void {
    if (isSettled) return
    isSettled = true
    chunks = []
    holding.release()
    reject(error)
  }

  const timer = setTimeout(() => {
    if (isSettled) stream.destroy()
    refuse(new BodyRefused('stalled'))
    timer.refresh()
  }, stallMs).unref()

  stream.on('data', (chunk: Buffer) => {
    timer.refresh()
    if (isSettled) return
    const inspected = length >= beginningBytes
    length += chunk.length
    if (length > bytesMax) return refuse(new BodyRefused('too large'))
    chunks.push(chunk)
    holding.add(chunk.length)
    if (!inspected && length >= beginningBytes) inspect?.(Buffer.concat(chunks)).catch(refuse)
  })
  stream.once('end', () => {
    if (isSettled) return
    isSettled = true
    holding.complete()
    resolve({ bytes: Buffer.concat(chunks), release: () => holding.release() })
    chunks = []
  })
  stream.once('error', (cause) => refuse(new BodyRefused('incomplete', { cause })))
  stream.once('close', () => {
    clearTimeout(timer)
    refuse(new BodyRefused('incomplete'))
  })
  return promise
}
