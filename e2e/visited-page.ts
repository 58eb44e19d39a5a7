import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const oldLibrary = new URL(import.meta.resolve('posthog-js-1.130/dist/array.js'))

/** Serves a page recorded by a version of posthog-js that is configured with only a token and the service's URL. */
export async function serveVisitedPage(
  apiHost: string,
  token: string,
  version: 'current' | '1.130',
): Promise<{ url: string; stop(): void }> {
  const old = await readFile(oldLibrary)
  const source = version === 'current' ? `${apiHost}/static/array.js` : '/posthog.js'
  const server = createServer((request, response) => {
    const isScript = request.url === '/posthog.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? old : page(source, apiHost, token))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, stop }
}

/** Builds the page. posthog-js would ignore a headless browser as a bot, so that filter is turned off. */
function page(source: string, apiHost: string, token: string): string {
  return `<!doctype html><title>Shop</title><h1>Lamps</h1>
    <style>h1 { color: rebeccapurple }</style>
    <button onclick="document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: 'Brass lamp' }))">
      Add the brass lamp</button>
    <label>Password <input type="password"></label>
    <ul></ul>
    <script>window.posthog = []; posthog._i = []; posthog.__SV = 1
      posthog.init = (token, options, name) => posthog._i.push([token, options, name])
      posthog.init('${token}', { api_host: '${apiHost}', opt_out_useragent_filter: true })</script>
    <script src="${source}"></script>`
}
