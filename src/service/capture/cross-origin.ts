import type { FastifyReply, FastifyRequest } from 'fastify'

/** Lets any page read the response: capture accepts events from all sites and ignores cookies. */
export async function allowOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers
  void reply.header('Vary', 'Origin')
  void reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
  void reply.header('Access-Control-Allow-Origin', origin ?? '*')
  if (origin !== undefined) void reply.header('Access-Control-Allow-Credentials', 'true')
}

/** Answers the preflight that browsers send before a cross-origin request that is not simple. */
export async function answerPreflight(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const headers = request.headers['access-control-request-headers']
  void reply.header('Access-Control-Allow-Methods', 'GET, POST, OPTIONS')
  void reply.header('Access-Control-Allow-Headers', headers ?? 'Content-Type, Content-Encoding')
  void reply.header('Access-Control-Max-Age', '86400')
  await reply.code(204).send()
}
