import type { FastifyPluginAsync } from 'fastify'
import type { Services } from '../services.ts'
import { firstProject } from '../store/projects.ts'
import { notFound } from '../problems/api-error.ts'

/** `/demo/project.js` tells the demo shop which project it is recorded in: a token is public, every page that is recorded shows its own. */
export function demoRoutes({ store }: Services): FastifyPluginAsync {
  return async (app) => {
    app.get('/demo/project.js', async (_request, reply) => {
      const project = await firstProject(store)
      if (!project) throw notFound()
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache')
      return `window.spoolProject = ${JSON.stringify({ token: project.api_token })}\n`
    })
  }
}
