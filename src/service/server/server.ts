import { randomUUID } from 'node:crypto'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
} from 'fastify'
import { trackLastUsed } from '../auth/last-used.ts'
import { createCaptureLimit } from '../capture/capture-limit.ts'
import { captureRoutes } from '../capture/routes.ts'
import { linkTarget } from '../recordings/sharing/sharing-link.ts'
import type { Services } from '../services.ts'
import { assetRoutes, exportedFileRoutes } from './signed-file-routes.ts'
import { refuseAtContentOrigin } from './content-origin.ts'
import { compressResponse } from './compress.ts'
import { apiRoutes } from '../handlers/dispatch.ts'
import { sendBadAddressPage, serveDashboard } from './dashboard-files.ts'
import { healthRoutes } from './health.ts'
import { openapiDocument } from './openapi.ts'
import { RateCounts } from '../auth/rate-counts.ts'
import { providerRoutes } from './provider-routes.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { refuseRequest, sendProblem } from './send-problem.ts'
import { firstProject } from '../store/accounts/projects.ts'
import { notFound } from '../problems/api-error.ts'

const requestTimeoutMs = 120_000
/** Delay between the entries of the audit log about refused requests. */
const refusalsDelayMs = 60_000
/** Longer than any path: Node limits the headers of a request to 16 kB. */
const maxParamLength = 20_000
const plainRequestId = /^[\w.:-]{1,100}$/

/** Creates the HTTP server: API, capture, dashboard and health. Closing it waits for requests in progress. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  const { logger, config } = services
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    trustProxy: [...config.trustedProxies],
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && plainRequestId.test(given) ? given : randomUUID()
    },
    routerOptions: { maxParamLength },
    // No route has a JSON schema; loading the compilers for them would delay each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) => {
      const headers = { 'x-request-id': request.id, 'cache-control': 'no-store' }
      reply.headers(headers)
      const isPage = error.code === 'FST_ERR_BAD_URL' && !request.url.startsWith('/api/')
      if (isPage && sendBadAddressPage(request, reply)) return
      void sendProblem(services, request, reply, error)
    },
    forceCloseConnections: 'idle',
    requestTimeout: requestTimeoutMs,
    clientErrorHandler: refuseRequest,
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    setSecurityHeaders(reply)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(services, request, reply, error))
  // A body stays unread until the key and its access have been checked; at other addresses, nothing reads it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.addHook('onSend', compressResponse)

  const lastUsed = trackLastUsed(services)
  app.addHook('onClose', () => lastUsed.settle())
  const counts = new RateCounts(services)
  app.addHook('onClose', () => counts.close())
  const flushing = setInterval(() => void services.refusals.flush(), refusalsDelayMs).unref()
  app.addHook('onClose', () => {
    clearInterval(flushing)
    return services.refusals.flush()
  })
  await app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      refuseAtContentOrigin(config, request)
    })
    api.get('/api/schema', (_request, reply) => reply.send(openapiDocument()))
    api.get('/api/schema/', (_request, reply) => reply.send(openapiDocument()))
    await api.register(apiRoutes(services, counts, lastUsed))
    await api.register(exportedFileRoutes(services))
  })
  await app.register(providerRoutes(services, counts))
  await app.register(captureRoutes(services, createCaptureLimit(counts, config.captureRateLimit)))
  await app.register(healthRoutes(services))
  await app.register(demoRoutes(services))
  await app.register(assetRoutes(services))
  await serveDashboard(app, config, (token) => linkTarget(services, token))
  return app
}

function noSchemas(): never {
  throw new Error('routes have no JSON schemas')
}

/** `/demo/project.js` contains the token of the project that records the demo shop. Project tokens are public. */
function demoRoutes({ store }: Services): FastifyPluginAsync {
  return async (app) => {
    app.get('/demo/project.js', async (_request, reply) => {
      const project = await firstProject(store)
      if (!project) throw notFound()
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache')
      return `window.spoolProject = ${JSON.stringify({ token: project.api_token })}\n`
    })
  }
}
