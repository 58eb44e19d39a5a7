import { GetObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { S3Config } from '../../../contract/destinations/s3.ts'
import { startFaultyStore, startTestStore } from '../../testing/test-store.ts'
import { copyObject } from './copy-object.ts'
import { openHosts } from '../../engines/hosts.ts'
import { connect } from './bucket-objects.ts'

let store: Awaited<ReturnType<typeof startTestStore>>

beforeAll(async () => {
  store = await startTestStore()
})
afterAll(() => store.stop())

async function connectTo(endpoint_url: string) {
  const sdk = await import('@aws-sdk/client-s3')
  const config = S3Config.parse({
    bucket_name: 'exports',
    region: 'us-east-1',
    aws_access_key_id: 'S3RVER',
    aws_secret_access_key: 'S3RVER',
    endpoint_url,
  })
  return { sdk, client: await connect(config, openHosts().lookup) }
}

/** Starts a proxy that adds UploadPartCopy, which the S3 server lacks. */
async function storeWithPartCopy(copied: string[]) {
  const { client } = await connectTo(store.endpoint)
  const server = await startFaultyStore(store.endpoint, async ({ method, url = '', headers }, body) => {
    const { 'x-amz-copy-source': source, 'x-amz-copy-source-range': range } = headers
    const { pathname, searchParams } = new URL(url, store.endpoint)
    const UploadId = searchParams.get('uploadId')
    if (method !== 'PUT' || source === undefined || UploadId === null) return { forward: body }
    copied.push(String(range))
    const [Bucket, ...key] = String(source).split('/')
    const part = await client.send(
      new GetObjectCommand({ Bucket: Bucket ?? '', Key: key.join('/'), Range: String(range) }),
    )
    const Body = (await part.Body?.transformToByteArray()) ?? new Uint8Array()
    const PartNumber = Number(searchParams.get('partNumber'))
    const Key = decodeURIComponent(pathname.split('/').slice(2).join('/'))
    const { ETag } = await client.send(
      new UploadPartCommand({ Bucket: Bucket ?? '', Key, UploadId, PartNumber, Body }),
    )
    return { respond: `<CopyPartResult><ETag>${ETag}</ETag></CopyPartResult>` }
  })
  onTestFinished(() => {
    server.stop()
    client.destroy()
  })
  return server.endpoint
}

const text = Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join('')
const limits = { singleMax: 20_000, part: 30_000 }

async function copyAt(endpoint: string): Promise<string> {
  const { sdk, client } = await connectTo(endpoint)
  const [Bucket, from, to] = ['exports', 'source', `to {a}/${endpoint.slice(-4)}`]
  await client.send(new sdk.PutObjectCommand({ Bucket, Key: from, Body: text }))
  await copyObject(client, { Bucket, from, to, bytes: text.length, encryption: {} }, limits)
  const found = await client.send(new GetObjectCommand({ Bucket, Key: to }))
  const body = (await found.Body?.transformToString()) ?? ''
  client.destroy()
  return body
}

test('copies an object above the limit in parts that cover each byte once', async () => {
  const copied: string[] = []
  expect(await copyAt(await storeWithPartCopy(copied))).toBe(text)
  expect(copied.toSorted()).toEqual([
    'bytes=0-29999',
    'bytes=30000-59999',
    'bytes=60000-89999',
    `bytes=90000-${text.length - 1}`,
  ])
})

test('copies an object above the limit in one request if the store cannot copy in parts', async () => {
  expect(await copyAt(store.endpoint)).toBe(text)
})
