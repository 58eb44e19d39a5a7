import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../replay/recorded/rrweb.ts'
import { clientAddress } from '../auth/client-address.ts'
import { BodyBudget } from '../http/body-budget.ts'
import { BodyRefused, receiveBody } from '../http/receive-body.ts'
import { CaptureError, unavailable } from './capture-error.ts'
import type { CaptureLimit } from './capture-limit.ts'
import { forgetPages, openDecoding } from './decode-thread.ts'
import { decodeBody, type Capture } from './decode.ts'
import { findToken } from './find-token.ts'
import { keepsProperties, keepsAll, masksPages, masksSlowly, type CapturePrivacy } from './private-values.ts'
import type { ProjectTokens } from './project-tokens.ts'
import { bodyLimit, parseBody, readText, statedSize, tooLarge, type JsonText } from './read-body.ts'

/** Bytes of bodies held at the same time: being received, or waiting to be decoded. */
const heldBytesMax = 48 * 1024 * 1024
/** Bytes of JSON that are decoded without a thread; this takes up to 50 ms. */
const smallBytesMax = 128 * 1024
/** Bytes of JSON at the beginning of a long body that are searched for its token. */
const beginningBytesMax = 32 * 1024

/**
 * Receives and decodes capture requests. Limits the work and memory that a client without a valid token can cause: an
 * unknown token is refused as soon as it is received, large bodies are decoded in a thread, and all bodies share one budget.
 */
export function createReceiver(tokens: ProjectTokens, limit: CaptureLimit, threads: number) {
  const decodeInThread = openDecoding(threads)
  const budget = new BodyBudget(heldBytesMax)

  async function assertAllowed(request: FastifyRequest, token: string | null): Promise<void> {
    if (token !== null) limit.check((await projectOf(token)).id, clientAddress(request.ip))
  }

  async function projectOf(token: string) {
    const project = await tokens.projectOf(token).catch(unavailable)
    if (project === null) throw new CaptureError(401, 'API key is not valid')
    return project
  }

  /** Forgets the pages that a refused request may have replaced: those of its project or, if that is unknown, all. */
  async function forgetReplaced(token: string | null): Promise<void> {
    const project = token === null ? undefined : await tokens.projectOf(token).catch(() => undefined)
    if (project === undefined) forgetPages('')
    else if (project?.privacy.masked_selectors.length) forgetPages(`${token}\n`)
  }

  type Arriving = { now: number; sees: (token: string | null) => void }

  /** @throws CaptureError */
  async function receive(request: FastifyRequest, reply: FastifyReply, now: number): Promise<Capture> {
    let seen: string | null = null
    const sees = (token: string | null) => (seen = token ?? seen)
    try {
      return await receiveWhole(request, reply, { now, sees })
    } catch (error) {
      const isBusy = error instanceof CaptureError && error.status === 503
      if (seen !== null || isBusy) await forgetReplaced(seen)
      throw error
    }
  }

  async function receiveWhole(request: FastifyRequest, reply: FastifyReply, { now, sees }: Arriving) {
    const query = isObject(request.query) ? request.query : {}
    const headToken = tokenInHead(request, query)
    sees(headToken)
    await assertAllowed(request, headToken)
    const limits = { bytesMax: bodyLimit, budget }
    let beginningToken: Promise<string | null> | null = null
    const tokenAtBeginning = async (beginning: Buffer) => {
      const reading = readText({ bytes: beginning, isWhole: false }, beginningBytesMax)
      const found = findToken((await reading.catch(unreadBeginning)).text)
      sees(found)
      await assertAllowed(request, found)
      return found
    }
    const inspect = async (beginning: Buffer) => {
      beginningToken = tokenAtBeginning(beginning)
      await beginningToken
    }
    const options = { ...limits, inspect }
    const { bytes, release } = isStream(request.body)
      ? await receiveBody(request.body, options).catch((error) => refuse(error, reply))
      : { bytes: Buffer.from(textOf(query['data'])), release: () => undefined }
    try {
      const isLarge = Math.max(bytes.length, statedSize(bytes)) > smallBytesMax
      const start = isLarge ? unreadBeginning() : await readText({ bytes, isWhole: true }, smallBytesMax)
      const token = isLarge ? await (beginningToken ?? tokenAtBeginning(bytes)) : findToken(start.text)
      sees(token)
      await assertAllowed(request, token)
      const described = { path: request.url, query: { sent_at: query['sent_at'], _: query['_'] } }
      const decode = async (privacy: CapturePrivacy) => {
        if (start.isWhole && !masksSlowly(privacy, start.text))
          return decodeBody(parseBody(start.text), { ...described, privacy }, now)
        const isKnown = (token ?? headToken) !== null
        return await decodeInThread({ ...described, privacy, body: bytes }, now, isKnown)
      }
      const supposed = token === null ? keepsAll : (await projectOf(token)).privacy
      const capture = await decode(supposed)
      if (capture.token === token) return capture
      // The token was not at the beginning.
      const { privacy } = await projectOf(capture.token)
      const keepsBoth = [privacy, supposed].every((each) => keepsProperties(each) && !masksPages(each))
      return keepsBoth ? capture : await decode(privacy)
    } finally {
      release()
    }
  }

  /** Returns the token in a request's query, headers or body; null without a token or with an unreadable body. */
  async function findRequestToken({ body, headers, query }: FastifyRequest): Promise<string | null> {
    const token = tokenInHead({ headers }, isObject(query) ? query : {})
    if (token !== null || !isStream(body)) return token
    try {
      const { bytes, release } = await receiveBody(body, { bytesMax: smallBytesMax, budget })
      const { text } = await readText({ bytes, isWhole: true }, smallBytesMax).finally(release)
      return findToken(text)
    } catch (error) {
      if (error instanceof BodyRefused || error instanceof CaptureError) return null
      throw error
    }
  }

  return { receive, findToken: findRequestToken }
}

/** Replaces a beginning that cannot be read: decoding the whole body then reports why. */
function unreadBeginning(): JsonText {
  return { text: '', isWhole: false }
}

/** posthog-js retries after a 503; after a 4xx it drops its events. */
function refuse(error: unknown, reply: FastifyReply): never {
  if (!(error instanceof BodyRefused)) throw error
  switch (error.reason) {
    case 'too large':
      throw tooLarge()
    case 'no room':
      void reply.header('Connection', 'close')
      throw new CaptureError(503, 'too much data is being received at the moment, try again')
    case 'stalled':
      void reply.header('Connection', 'close')
      throw new CaptureError(503, 'the body stopped arriving, try again')
    case 'incomplete':
      throw new CaptureError(400, 'the request ended before its body was complete')
  }
}

/** Returns the token that some clients repeat outside the body; null without one. */
function tokenInHead({ headers }: Pick<FastifyRequest, 'headers'>, query: Record<string, unknown>) {
  const [, token] = /^bearer +(phc_\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? (textOf(query['api_key']) || textOf(query['token']) || null)
}

function textOf(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'on' in body
}
