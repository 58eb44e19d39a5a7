import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** How the page loads posthog-js: as the service's script, as 1.130's script, or as the npm package in a folder. */
type Library = 'current' | '1.130' | { folder: string }

/** Serves a page recorded by a version of posthog-js that is configured with only a token and the service's URL. */
export async function serveVisitedPage(
  apiHost: string,
  token: string,
  library: Library,
): Promise<{ url: string; stop(): void }> {
  const script = library === 'current' ? '' : await readFile(await scriptOf(library))
  const options = JSON.stringify({ api_host: apiHost, opt_out_useragent_filter: true })
  const init = `posthog.init('${token}', ${options})`
  const loading =
    typeof library === 'object'
      ? fromPackage(init)
      : fromScript(init, library === 'current' ? `${apiHost}/static/array.js` : '/posthog.js')
  const server = createServer((request, response) => {
    const isScript = request.url === '/posthog.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : page(loading))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  // Browsers resolve this name to loopback themselves; posthog-js records no requests of pages on 127.0.0.1.
  const host = typeof library === 'object' ? 'shop.localhost' : '127.0.0.1'
  return { url: `http://${host}:${port}/`, stop }
}

async function scriptOf(library: '1.130' | { folder: string }): Promise<URL | string> {
  if (library === '1.130') return new URL(import.meta.resolve('posthog-js-1.130/dist/array.js'))
  const text = await readFile(join(library.folder, 'package.json'), 'utf8')
  return join(library.folder, (JSON.parse(text) as { module: string }).module)
}

/** Starts posthog-js like a page that a bundler built from the npm package. */
function fromPackage(init: string): string {
  return `<script type="module">
    import posthog from '/posthog.js'
    window.posthog = posthog
    ${init}</script>`
}

function fromScript(init: string, source: string): string {
  return `<script>window.posthog = []; posthog._i = []; posthog.__SV = 1
      posthog.init = (token, options, name) => posthog._i.push([token, options, name])
      ${init}</script>
    <script src="${source}"></script>`
}

/** Builds the page. posthog-js would ignore a headless browser as a bot, so that filter is turned off. */
function page(loading: string): string {
  return `<!doctype html><title>Shop</title><h1>Lamps</h1>
    <style>h1 { color: rebeccapurple }</style>
    <button onclick="document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: 'Brass lamp' }))">
      Add the brass lamp</button>
    <label>Password <input type="password"></label>
    <ul></ul>
    ${loading}`
}
