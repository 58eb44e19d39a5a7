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
/** Bodies that are unpacked at once, each perhaps a thousandth of its size before. */
const decodersMax = 4
const acknowledged = { status: 'Ok' }

/** Everything that posthog-js and other PostHog clients talk to; needs no key but the project's token in the body. */
export function captureRoutes(
  services: Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>,
): FastifyPluginAsync {
  const ingest = openIngest(services)
  const replayIngest = openReplayIngest(services)
  const inTurn = takeTurns(decodersMax)
  const tokens = new ProjectTokens(services.store, services.clock)

  const capture: Handler = async (request) => {
    const { events, replay, token } = await inTurn(() =>
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
      const { status, text } = refusal(error)
      if (status >= 500) request.log.error({ err: error }, 'events were not captured')
      return reply.code(status).type('text/plain; charset=utf-8').send(text)
    })
    for (const path of capturePaths) answer(app, path, ['GET', 'POST'], capture)
    answer(app, '/array/:token/config', ['GET'], async () => browserConfig())
    answer(app, '/flags', ['GET', 'POST'], async () => browserFlags())
    answer(app, '/decide', ['GET', 'POST'], async () => ({
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

/** A prefix makes the trailing slash optional whatever the server's router does with slashes. */
function answer(app: FastifyInstance, path: string, methods: ('GET' | 'POST')[], handler: Handler): void {
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

/** posthog-js keeps what is answered with 5xx and sends it again. */
function unavailable(cause: unknown): never {
  throw new CaptureError(503, 'events cannot be stored at the moment, try again', { cause })
}

function refusal(error: FastifyError): { status: number; text: string } {
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

/** What posthog-js asks for first: which of its parts to start, and where they send to. */
function browserConfig() {
  return {
    sessionRecording: { endpoint: '/s/', consoleLogRecordingEnabled: true },
    supportedCompression: ['gzip-js'],
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    // Without this word posthog-js leaves autocapture off.
    autocapture_opt_out: false,
  }
}

/** There are no feature flags here, which is an answer too: without one, posthog-js would ask again. */
function browserFlags() {
  return { errorsWhileComputingFlags: false, flags: {}, requestId: randomUUID() }
}

const tokenKeepMs = 60_000
const tokensMax = 10_000

/** Which project a capture token is of; known tokens are remembered for a minute, unknown ones asked for each time. */
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
    this.#known.set(token, { projectId: project.id, until: now + tokenKeepMs })
    return project.id
  }
}

/** Runs at most so many works at once; the others wait, in the order they came. */
function takeTurns(atOnceMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: PromiseWithResolvers<void>[] = []
  let free = atOnceMax
  return async (work) => {
    if (free > 0) free -= 1
    else {
      const turn = Promise.withResolvers<void>()
      waiting.push(turn)
      await turn.promise
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next.resolve()
      else free += 1
    }
  }
}
