import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import { browserScript } from './browser-scripts.ts'
import { clientAddress } from '../auth/client-address.ts'
import { CaptureError, retryAfterSeconds, unavailable } from './capture-error.ts'
import type { CaptureLimit } from './capture-limit.ts'
import { allowOrigin, answerPreflight } from './cross-origin.ts'
import { openIngest } from './ingest.ts'
import { ProjectTokens } from './project-tokens.ts'
import { createReceiver } from './receive-capture.ts'
import { openReplayIngest } from './replay/replay-ingest.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const capturePaths = ['/e', '/i/v0/e', '/capture', '/track', '/engage', '/batch', '/s']
const acknowledged = { status: 'Ok' }

/** Routes for posthog-js and other PostHog clients, authenticated only by the project token in the request body. */
export function captureRoutes(
  services: Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>,
  limit: CaptureLimit,
): FastifyPluginAsync {
  const ingest = openIngest(services)
  const replayIngest = openReplayIngest(services)
  const tokens = new ProjectTokens(services.store, services.clock)
  const receive = createReceiver(tokens, limit)

  const capture: Handler = async (request, reply) => {
    const { events, replay, token } = await receive(request, reply, services.clock.now())
    const projectId = await tokens.projectOf(token).catch(unavailable)
    if (projectId === null) throw new CaptureError(401, 'API key is not valid')
    limit.count(projectId, clientAddress(request.ip), events.length + replay.length)
    await Promise.all([ingest.add(projectId, events), replayIngest.add(projectId, replay)]).catch(unavailable)
    return acknowledged
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    // `createReceiver` reads the body; the other endpoints ignore it.
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.addHook('onRequest', allowOrigin)
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const { status, text } = errorReply(error)
      // A 503 without a cause means that a limit was reached; logging each such request would fill the log.
      if (status >= 500 && !(error instanceof CaptureError && error.cause === undefined))
        request.log.error({ err: error }, 'failed to capture events')
      if (status === 503) void reply.header('Retry-After', String(retryAfterSeconds))
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
    app.get<{ Params: { token: string } }>('/array/:token/config.js', (request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(configScript(request.params.token)),
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

async function sendScript(file: string, reply: FastifyReply) {
  const script = await browserScript(file)
  if (!script) return reply.code(404).type('text/plain').send('not found')
  return reply
    .type('text/javascript; charset=utf-8')
    .header('Cache-Control', 'public, max-age=86400')
    .send(script)
}

function errorReply(error: FastifyError): { status: number; text: string } {
  if (error instanceof CaptureError) return { status: error.status, text: error.message }
  const status = error.statusCode ?? 500
  return status < 500 ? { status, text: error.message } : { status: 503, text: 'A server error occurred.' }
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

/** The configuration as the script that posthog-js loads before it asks for the JSON. */
function configScript(token: string): string {
  const loaded = { config: browserConfig(), siteApps: [] }
  const all = 'window._POSTHOG_REMOTE_CONFIG'
  return `${all} = ${all} || {}\n${all}[${JSON.stringify(token)}] = ${JSON.stringify(loaded)}\n`
}

/** An empty set of feature flags; without this response, posthog-js would retry. */
function browserFlags() {
  return { errorsWhileComputingFlags: false, flags: {}, requestId: randomUUID() }
}
