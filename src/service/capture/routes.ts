import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import { browserScript } from './browser-scripts.ts'
import { CaptureError } from './capture-error.ts'
import { allowOrigin, answerPreflight } from './cross-origin.ts'
import { decodeCapture } from './decode.ts'
import { openIngest } from './ingest.ts'
import { bodyLimit } from './read-body.ts'
import { openReplayIngest } from './replay/replay-ingest.ts'
import type { Clock } from '../clock.ts'
import type { Store } from '../store/database.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const capturePaths = ['/e', '/i/v0/e', '/capture', '/track', '/engage', '/batch', '/s']
/** Request bodies decompressed at the same time; each may grow a thousandfold. */
const decodersMax = 4
const acknowledged = { status: 'Ok' }

/** Routes for posthog-js and other PostHog clients, authenticated only by the project token in the request body. */
export function captureRoutes(
  services: Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>,
): FastifyPluginAsync {
  const ingest = openIngest(services)
  const replayIngest = openReplayIngest(services)
  const limited = limitConcurrency(decodersMax)
  const tokens = new ProjectTokens(services.store, services.clock)

  const capture: Handler = async (request) => {
    const { events, replay, token } = await limited(() =>
      decodeCapture(captureRequest(request), services.clock.now()),
    )
    const projectId = await tokens.projectOf(token).catch(unavailable)
    if (projectId === null) throw new CaptureError(401, 'API key is not valid')
    await Promise.all([ingest.add(projectId, events), replayIngest.add(projectId, replay)]).catch(unavailable)
    return acknowledged
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, async (_: unknown, body: unknown) => body)
    app.addHook('onRequest', allowOrigin)
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const { status, text } = errorReply(error)
      if (status >= 500) request.log.error({ err: error }, 'failed to capture events')
      return reply.code(status).type('text/plain; charset=utf-8').send(text)
    })
    for (const path of capturePaths) addRoute(app, path, ['GET', 'POST'], capture)
    addRoute(app, '/array/:token/config', ['GET'], async () => browserConfig())
    addRoute(app, '/flags', ['GET', 'POST'], async () => browserFlags())
    addRoute(app, '/decide', ['GET', 'POST'], async () => ({
      ...browserConfig(),
      ...browserFlags(),
      featureFlags: {},
    }))
    app.get('/array/:token/config.js', async (_, reply) =>
      reply.code(404).type('text/plain').send('not found'),
    )
    app.get('/array/:token/array.js', (_, reply) => sendScript('array.js', reply))
    app.get<{ Params: { file: string } }>('/static/:file', (request, reply) =>
      sendScript(request.params.file, reply),
    )
    app.get<{ Params: { file: string } }>('/static/:version/:file', (request, reply) =>
      sendScript(request.params.file, reply),
    )
  }
}

/** Adds a route. The prefix makes its trailing slash optional, regardless of the server's router options. */
function addRoute(app: FastifyInstance, path: string, methods: ('GET' | 'POST')[], handler: Handler): void {
  void app.register(
    async (scope) => {
      scope.route({ method: methods, url: '/', exposeHeadRoute: false, handler })
      scope.options('/', answerPreflight)
    },
    { prefix: path },
  )
}

function captureRequest(request: FastifyRequest) {
  const query = isRecord(request.query) ? request.query : {}
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.from(textOf(query['data']))
  return { body, path: request.url, query }
}

async function sendScript(file: string, reply: FastifyReply) {
  const script = await browserScript(file)
  if (!script) return reply.code(404).type('text/plain').send('not found')
  return reply
    .type('text/javascript; charset=utf-8')
    .header('Cache-Control', 'public, max-age=86400')
    .send(script)
}

/** Responds with a 5xx status, on which posthog-js keeps its events and retries. */
function unavailable(cause: unknown): never {
  throw new CaptureError(503, 'events cannot be stored at the moment, try again', { cause })
}

function errorReply(error: FastifyError): { status: number; text: string } {
  if (error instanceof CaptureError) return { status: error.status, text: error.message }
  const status = error.statusCode ?? 500
  if (status === 413) return { status, text: `request is larger than ${bodyLimit / 1024 / 1024} MB` }
  return status < 500 ? { status, text: error.message } : { status: 503, text: 'A server error occurred.' }
}

function textOf(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Remote configuration that posthog-js requests first: which features to start, and where they send data. */
function browserConfig() {
  return {
    sessionRecording: { endpoint: '/s/', consoleLogRecordingEnabled: true },
    supportedCompression: ['gzip-js'],
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    // Without this key, posthog-js leaves autocapture off.
    autocapture_opt_out: false,
  }
}

/** An empty set of feature flags; without this response, posthog-js would retry. */
function browserFlags() {
  return { errorsWhileComputingFlags: false, flags: {}, requestId: randomUUID() }
}

const tokenCacheMs = 60_000
const tokensMax = 10_000

/** Finds projects by their tokens. Known tokens are cached for a minute; unknown tokens are queried each time. */
class ProjectTokens {
  readonly #store: Store
  readonly #clock: Clock
  readonly #known = new Map<string, { projectId: number; until: number }>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async projectOf(token: string): Promise<number | null> {
    const now = this.#clock.now()
    const known = this.#known.get(token)
    if (known && known.until > now) return known.projectId
    const project = await this.#store
      .selectFrom('projects')
      .select('id')
      .where('api_token', '=', token)
      .executeTakeFirst()
    if (!project) return null
    if (this.#known.size >= tokensMax) this.#known.clear()
    this.#known.set(token, { projectId: project.id, until: now + tokenCacheMs })
    return project.id
  }
}

/** Runs at most `concurrencyMax` tasks at the same time; the others wait in order of arrival. */
function limitConcurrency(concurrencyMax: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: PromiseWithResolvers<void>[] = []
  let free = concurrencyMax
  return async (task) => {
    if (free > 0) free -= 1
    else {
      const turn = Promise.withResolvers<void>()
      waiting.push(turn)
      await turn.promise
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next.resolve()
      else free += 1
    }
  }
}
