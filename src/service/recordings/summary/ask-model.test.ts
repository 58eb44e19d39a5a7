import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askModel } from './ask-model.ts'
import { button, change, click, element, input, page, tell } from '../../testing/test-session.ts'

type Asked = {
  url: string
  headers: IncomingHttpHeaders
  body: { model: string; messages: { content: string }[] }
}

let asked: Asked[] = []
let answer: (response: ServerResponse) => void
const server = createServer((request, response) => void take(request, response))

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString('utf8'))
  asked.push({ url: request.url ?? '', headers: request.headers, body })
  answer(response)
}

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
beforeEach(() => {
  asked = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const field = element(20, 'input', { placeholder: 'Search' })
const story = tell([
  ...page(0, 'https://shop.example/?q=hunter2', 'Shop', [field, button(10, 'Help')]),
  input(2, 20, 'hunter2'),
  click(5, 10),
  change(5.1, 'You looked for hunter2'),
])

const modelAt = (path: string) => {
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, key: 'sk-secret', name: 'small' }
}
const ask = (path = '', timeoutMs = 5000) => askModel(modelAt(path), story, timeoutMs)

const prose = {
  outcome: { text: 'They looked for help.', moment: 3 },
  sentences: [{ text: 'They opened the shop.', moment: 1 }],
  problems: [],
}
function answering(content: string, status = 200) {
  answer = (response) => {
    response.statusCode = status
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  }
}

test('a model tells the story from moments, and the outcome stays what it was', async () => {
  answering(`\`\`\`json\n${JSON.stringify(prose)}\n\`\`\``)
  const told = await ask()
  expect(told).toEqual({ ...prose, outcome: { ...prose.outcome, kind: 'looked_around' } })
})

test('the base URL may name the version or not', async () => {
  answering(JSON.stringify(prose))
  for (const path of ['', '/', '/v1', '/v1/', '/openai/v1beta/']) await ask(path)
  const paths = ['/v1', '/v1', '/v1', '/v1', '/openai/v1beta'].map((path) => `${path}/chat/completions`)
  expect(asked.map(({ url }) => url)).toEqual(paths)
})

test('what is sent names model, key and facts, and nothing that was typed or stood in a query', async () => {
  answering(JSON.stringify(prose))
  await ask()
  const [sent] = asked
  expect(sent?.headers.authorization).toBe('Bearer sk-secret')
  expect(sent?.body.model).toBe('small')
  expect(sent?.body.messages[1]?.content).toContain('Clicked “Help”.')
  expect(JSON.stringify(asked)).not.toContain('hunter2')
})

test.each([
  ['an error', '', 500, 'The language model answered with status 500.'],
  ['prose', 'They opened the shop.', 200, 'The language model answered with something else than a summary.'],
  ['no sentence', JSON.stringify({ ...prose, sentences: [] }), 200, 'something else than a summary'],
  [
    'sentences too long',
    JSON.stringify({ ...prose, sentences: [{ text: 'x'.repeat(401), moment: 1 }] }),
    200,
    'something else than a summary',
  ],
  [
    'a moment that it made up',
    JSON.stringify({ ...prose, problems: [{ text: 'It broke.', moment: 99 }] }),
    200,
    'The language model pointed at moments that do not exist.',
  ],
  ['a book', 'x'.repeat(300_000), 200, 'The language model answered at too great length.'],
])('refuses %s', async (_, content, status, message) => {
  answering(content, status)
  await expect(ask()).rejects.toThrow(message)
})

test('one that is slow or not there is given up, without its address or key in the reason', async () => {
  answer = () => undefined
  await expect(ask('', 50)).rejects.toThrow(/^The language model did not answer in time\.$/)
  const away = { ...modelAt(''), url: 'http://127.0.0.1:1' }
  await expect(askModel(away, story, 5000)).rejects.toThrow(/^The language model could not be reached\.$/)
})
