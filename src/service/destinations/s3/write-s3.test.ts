import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeTestExports,
  createFileExport,
  createS3Export,
  failure,
  insertOnce,
  list,
  name,
  openTestExports,
  run,
  secretKey,
  store,
} from '../../testing/test-exports.ts'

beforeAll(() => openTestExports())
afterAll(closeTestExports)

test('keeps an unknown variable in the object key', async () => {
  await insertOnce()
  const row = await createS3Export({ prefix: 'a{b}c*?/{table}/{year}' })
  const result = await run(row)
  expect(result.files).toEqual([`a{b}c*?/events/2026/${name}.jsonl`])
  expect(await list('S3', 'a')).toContain(result.files[0])
  const file = await createFileExport({ path: 'a{b}c*/{day}' })
  expect((await run(file)).files).toEqual([`a{b}c*/10/${name}.jsonl`])
  expect(await list('File', 'a{b}c*')).toHaveLength(1)
})

test('errors of S3 say what to do and whether to retry, and contain no secret', async () => {
  await insertOnce()
  const denied = createServer((request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied for ${secretKey}</Message></Error>`,
    )
  }).listen(0, '127.0.0.1')
  await once(denied, 'listening')
  const address = denied.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const cases = [
    [{ bucket_name: 'missing' }, true, 'There is no bucket "missing"'],
    [{ endpoint_url: `http://127.0.0.1:${port}` }, true, 'was denied'],
    [{ endpoint_url: 'http://127.0.0.1:9' }, false, 'refused the connection'],
    [{ endpoint_url: 'http://nowhere.invalid' }, false, 'was not found'],
    [{ endpoint_url: store.endpoint.replace('http', 'https') }, true, 'No secure connection'],
    [{ endpoint_url: 'http://10.0.0.1' }, true, 'not on the public internet'],
    [{ endpoint_url: null, region: 'x.evil.example/' }, true, 'not a region'],
    [{ bucket_name: 'a' }, true, 'not allowed by S3'],
    [{ prefix: 'x/'.repeat(500) }, true, 'object keys have at most 1,024 bytes'],
  ] as const
  for (const [config, permanent, text] of cases) {
    const explained = await failure(await createS3Export(config))
    expect(explained).toMatchObject({ permanent, message: expect.stringContaining(text) })
    expect(explained.message).not.toContain(secretKey)
  }
  denied.close()
})

test('an object with its own KMS key is never stored unencrypted', async () => {
  await insertOnce()
  const seen: { method: string; path: string; encryption: unknown; key: unknown }[] = []
  const recorder = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({
      method,
      path: url.split('?')[0] ?? '',
      encryption: headers['x-amz-server-side-encryption'],
      key: headers['x-amz-server-side-encryption-aws-kms-key-id'],
    })
    request.pipe(
      forward(`${store.endpoint}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const address = recorder.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const encryption = {
    endpoint_url: `http://127.0.0.1:${port}`,
    encryption: 'aws:kms',
    kms_key_id: 'arn:own',
  }
  const result = await run(await createS3Export({ ...encryption, prefix: 'kms' }))
  expect(await list('S3', 'kms/')).toEqual(result.files)
  const puts = seen.filter(({ method }) => method === 'PUT')
  expect(puts.map((put) => [put.encryption, put.key])).toEqual([
    ['aws:kms', undefined],
    ['aws:kms', 'arn:own'],
  ])
  recorder.close()
})

test('does not follow a store’s redirect', async () => {
  await insertOnce()
  const redirecting = createServer((request, response) => {
    request.resume()
    response.writeHead(307, { location: `${store.endpoint}${request.url}` }).end()
  }).listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  const address = redirecting.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const row = await createS3Export({ endpoint_url: `http://127.0.0.1:${port}`, prefix: 'redirected' })
  expect(await failure(row)).toMatchObject({
    permanent: true,
    message: expect.stringContaining('another address'),
  })
  expect(await list('S3', 'redirected')).toEqual([])
  redirecting.close()
})

test.each([
  [
    503,
    'application/xml',
    '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
    'receives too many requests',
  ],
  [500, 'text/html', '<html><body><h1>Internal Server Error</h1></body></html>', "an error that is not S3's"],
])('a store that responds %i with %s is explained in plain words', async (status, type, body, words) => {
  await insertOnce()
  const broken = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type }).end(body)
  }).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  const address = broken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { permanent, message } = await failure(
    await createS3Export({ endpoint_url: `http://127.0.0.1:${port}` }),
  )
  broken.close()
  expect({ permanent, message }).toEqual({ permanent: false, message: expect.stringContaining(words) })
})
