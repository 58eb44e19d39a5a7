import type { FastifyPluginAsync } from 'fastify'
import { assetPathStart } from '../../contract/recordings/recorded-asset.ts'
import { openAsset } from '../recordings/assets/open-asset.ts'
import type { Services } from '../services.ts'
import { setAssetPolicy } from './security-headers.ts'

/**
 * Serves the files of recordings at signed paths, which expire; no key is needed. The frame in which a recording plays has
 * an opaque origin, so every origin may read the files.
 */
export function assetRoutes(services: Services): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { signed: string } }>(`${assetPathStart}:signed`, async (request, reply) => {
      setAssetPolicy(reply)
      reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
      const { hash, contentType, content, expiry } = await openAsset(services, request.params.signed)
      const seconds = Math.floor((expiry - services.clock.now()) / 1000)
      reply.header('cache-control', `private, max-age=${seconds}, immutable`)
      // The signed paths in a style sheet change between responses.
      if (typeof content !== 'string') reply.header('etag', `"${hash}"`)
      const known = request.headers['if-none-match']
      const isKnown = known !== undefined && known === reply.getHeader('etag')
      return isKnown ? reply.code(304).send() : reply.type(contentType).send(content)
    })
  }
}
