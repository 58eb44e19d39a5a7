import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify'
import { defaultPrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import { defaultRecordingSettings } from '../../contract/recordings/recording-settings.ts'
import { fullDisk } from '../problems/full-disk.ts'
import type { Services } from '../services.ts'
import { privacySettings } from '../store/privacy/privacy-settings.ts'
import { recordingSettings } from '../store/recordings/recording-settings.ts'
import { browserScript } from './browser-scripts.ts'
import { clientAddress } from '../auth/client-address.ts'
import { CaptureError, retryAfterSeconds, unavailable } from './capture-error.ts'
import type { CaptureLimit } from './capture-limit.ts'
import { openIngest } from './ingest.ts'
import { ProjectTokens } from './project-tokens.ts'
import { createReceiver } from './receive-capture.ts'
import { noFeatureFlags, remoteConfig, type RemoteConfig } from './remote-config.ts'
import { openReplayIngest } from './replay/replay-ingest.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const capturePaths = ['/e', '/i/v0/e', '/i/v0/ai/batch', '/capture', '/track', '/engage', '/batch', '/s']
const defaultConfig = remoteConfig(defaultRecordingSettings, defaultPrivacySettings)
const acknowledged = { status: 'Ok' }

/** Routes for posthog-js and other PostHog clients, authenticated only by the project token in the request body. */
export function captureRoutes(
  services: Pick<Services, 'config' | 'store' | 'warehouse' | 'objects' | 'clock'>,
  limit: CaptureLimit,
): FastifyPluginAsync {
  const ingest = openIngest(services)
  const replayIngest = openReplayIngest(services)
  const tokens = new ProjectTokens(services.store, services.clock)
  const { receive, findToken } = createReceiver(tokens, limit, services.config.captureThreads)

  const capture: Handler = async (request, reply) => {
    const { events, replay, token } = await receive(request, reply, services.clock.now())
    const project = await tokens.projectOf(token).catch(unavailable)
    if (project === null) throw new CaptureError(401, 'API key is not valid')
    const { id: projectId } = project
    limit.count(projectId, clientAddress(request.ip), events.length + replay.length)
    await Promise.all([ingest.add(projectId, events), replayIngest.add(projectId, replay)]).catch(unavailable)
    return acknowledged
  }

  /** Configurations by token, so that masks apply while the store is down. */
  const lastConfigs = new Map<string, RemoteConfig>()

  /** Returns the configuration for the token's project: the last one while the store is down, the default without a project. */
  const configOf = async (token: string | null, log: FastifyBaseLogger): Promise<RemoteConfig> => {
    try {
      const project = token === null ? null : await tokens.projectOf(token)
      if (token === null || project === null) return defaultConfig
      const settings = await recordingSettings(services.store, project.id)
      const config = remoteConfig(settings, await privacySettings(services.store, project.id))
      lastConfigs.set(token, config)
      return config
    } catch (error) {
      log.error({ err: error }, 'failed to read the recording settings')
      return lastConfigs.get(token ?? '') ?? defaultConfig
    }
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    // The receiver reads the body.
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.addHook('onRequest', allowOrigin)
    app.setErrorHandler<FastifyError>(async (error, request, reply) => {
      const { status, text } = errorReply(error)
      const full = await fullDisk(error.cause ?? error, services.config)
      // A 503 without a cause means that a limit was reached; logging each such request would fill the log.
      if (status >= 500 && !(error instanceof CaptureError && error.cause === undefined))
        request.log.error({ err: error }, 'failed to capture events')
      if (status === 503) void reply.header('Retry-After', String(retryAfterSeconds))
      return reply
        .code(status)
        .type('text/plain; charset=utf-8')
        .send(full ?? text)
    })
    for (const path of capturePaths) addRoute(app, path, ['GET', 'POST'], capture)
    addRoute(app, '/array/:token/config', ['GET'], async (request) =>
      configOf(tokenInPath(request), request.log),
    )
    addRoute(app, '/flags', ['GET', 'POST'], async (request) => ({
      ...(asksForConfig(request.query) && (await configOf(await findToken(request), request.log))),
      ...noFeatureFlags(),
    }))
    addRoute(app, '/decide', ['GET', 'POST'], async (request) => ({
      ...(await configOf(await findToken(request), request.log)),
      ...noFeatureFlags(),
      featureFlags: {},
    }))
    // posthog-node reports any other response as an error.
    addRoute(app, '/api/surveys', ['GET'], async () => ({ surveys: [] }))
    app.get('/array/:token/config.js', async (request, reply) => {
      const token = tokenInPath(request)
      const script = configScript(token, await configOf(token, request.log))
      return reply.type('text/javascript; charset=utf-8').send(script)
    })
    app.get('/array/:token/array.js', (_, reply) => sendScript('array.js', reply))
    for (const path of ['/static/:file', '/static/:version/:file'])
      app.get<{ Params: { file: string } }>(path, ({ params }, reply) => sendScript(params.file, reply))
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

/** Lets any page read the response: capture accepts events from all sites and ignores cookies. */
async function allowOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers
  void reply.header('Vary', 'Origin')
  void reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
  void reply.header('Access-Control-Allow-Origin', origin ?? '*')
  if (origin !== undefined) void reply.header('Access-Control-Allow-Credentials', 'true')
}

/** Answers the preflight that browsers send before a cross-origin request that is not simple. */
function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const headers = request.headers['access-control-request-headers']
  void reply.header('Access-Control-Allow-Methods', 'GET, POST, OPTIONS')
  void reply.header('Access-Control-Allow-Headers', headers ?? 'Content-Type, Content-Encoding')
  void reply.header('Access-Control-Max-Age', '86400')
  return reply.code(204).send()
}

function tokenInPath(request: FastifyRequest): string {
  return (request.params as { token: string }).token
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

/** Whether a request for feature flags also asks for the configuration, as posthog-js does from 1.260 to 1.345. */
function asksForConfig(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'config' in query && query.config === 'true'
}

/** The configuration as the script that posthog-js loads before it asks for the JSON. */
function configScript(token: string, config: RemoteConfig): string {
  const loaded = { config, siteApps: [] }
  const all = 'window._POSTHOG_REMOTE_CONFIG'
  return `${all} = ${all} || {}\n${all}[${JSON.stringify(token)}] = ${JSON.stringify(loaded)}\n`
}
