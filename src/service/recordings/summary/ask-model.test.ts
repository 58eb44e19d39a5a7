import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHosts } from '../../engines/hosts.ts'
import { askModel } from './ask-model.ts'
import { button, change, click, element, input, page, summaryOf } from '../../testing/test-session.ts'

type ReceivedRequest = {
  url: string
  headers: IncomingHttpHeaders
  body: { model: string; messages: { content: string }[] }
}

let received: ReceivedRequest[] = []
let respond: (response: ServerResponse) => void
const server = createServer((request, response) => void receive(request, response))

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString('utf8'))
  received.push({ url: request.url ?? '', headers: request.headers, body })
  respond(response)
}

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
beforeEach(() => {
  received = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const field = element(20, 'input', { placeholder: 'Search' })
const summary = summaryOf([
  ...page(0, 'https://shop.example/?q=hunter2', 'Shop', [field, button(10, 'Help')]),
  input(2, 20, 'hunter2'),
  click(5, 10),
  change(5.1, 'You looked for hunter2'),
])

const modelAt = (path: string) => {
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, key: 'sk-secret', name: 'small' }
}
const ask = (path = '', timeoutMs = 5000) => askModel(openHosts(), modelAt(path), summary, timeoutMs)

const prose = {
  outcome: { text: 'They looked for help.', moment: 3 },
  sentences: [{ text: 'They opened the shop.', moment: 1 }],
  problems: [],
}
function respondWith(content: string, status = 200) {
  respond = (response) => {
    response.statusCode = status
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  }
}

test('uses prose from the model and keeps the kind of outcome', async () => {
  respondWith(`\`\`\`json\n${JSON.stringify(prose)}\n\`\`\``)
  const result = await ask()
  expect(result).toEqual({ ...prose, outcome: { ...prose.outcome, kind: 'looked_around' } })
})

test('accepts base URLs with and without a version', async () => {
  respondWith(JSON.stringify(prose))
  for (const path of ['', '/', '/v1', '/v1/', '/openai/v1beta/']) await ask(path)
  const paths = ['/v1', '/v1', '/v1', '/v1', '/openai/v1beta'].map((path) => `${path}/chat/completions`)
  expect(received.map(({ url }) => url)).toEqual(paths)
})

test('sends model, key and facts, but nothing from typed text or URL queries', async () => {
  respondWith(JSON.stringify(prose))
  await ask()
  const [sent] = received
  expect(sent?.headers.authorization).toBe('Bearer sk-secret')
  expect(sent?.body.model).toBe('small')
  expect(sent?.body.messages[1]?.content).toContain('Clicked “Help”.')
  expect(JSON.stringify(received)).not.toContain('hunter2')
})

test.each([
  ['an error', '', 500, 'The language model returned status 500.'],
  ['prose', 'They opened the shop.', 200, 'The language model did not return a valid summary.'],
  ['no sentences', JSON.stringify({ ...prose, sentences: [] }), 200, 'did not return a valid summary'],
  [
    'sentences too long',
    JSON.stringify({ ...prose, sentences: [{ text: 'x'.repeat(401), moment: 1 }] }),
    200,
    'did not return a valid summary',
  ],
  [
    'an unknown moment',
    JSON.stringify({ ...prose, problems: [{ text: 'It broke.', moment: 99 }] }),
    200,
    'The language model referred to moments that do not exist.',
  ],
  ['an overlong response', 'x'.repeat(300_000), 200, 'The language model returned too long a response.'],
])('rejects %s', async (_, content, status, message) => {
  respondWith(content, status)
  await expect(ask()).rejects.toThrow(message)
})

test('gives up on a slow or unreachable model, without its URL or key in the error', async () => {
  respond = () => undefined
  await expect(ask('', 50)).rejects.toThrow(/^The language model did not respond in time\.$/)
  const away = { ...modelAt(''), url: 'http://127.0.0.1:1' }
  await expect(askModel(openHosts(), away, summary, 5000)).rejects.toThrow(
    /^The language model could not be reached\.$/,
  )
})

test('resolves the name of a model once, and follows no redirect', async () => {
  const { port } = server.address() as AddressInfo
  let lookups = 0
  const hosts = openHosts(async () => {
    lookups += 1
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  })
  const model = { ...modelAt(''), url: `http://model.test:${port}` }
  respondWith(JSON.stringify(prose))
  await askModel(hosts, model, summary, 5000)
  expect([lookups, received.length]).toEqual([1, 1])
  respond = (response) => response.writeHead(307, { location: `http://127.0.0.1:${port}/other` }).end()
  await expect(ask()).rejects.toThrow('The language model returned status 307.')
  expect(received.map(({ url }) => url)).not.toContain('/other')
})
