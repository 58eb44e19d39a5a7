import type { CompletedPart, PutObjectCommandInput, S3 } from '@aws-sdk/client-s3'

/** Bytes of a part. S3 accepts 10,000 parts of at least 5 MB. */
const partBytes = 8 * 1024 ** 2
/** Time limit (ms) of a request that sends a part. */
const requestTimeout = 60_000

type Target = Pick<PutObjectCommandInput, 'Bucket' | 'Key' | 'ServerSideEncryption' | 'SSEKMSKeyId'>

/**
 * Sends an object whose size is unknown, with one part in memory; resolves to its bytes. The object appears, and replaces
 * an earlier one, when it is complete.
 */
export async function uploadObject(
  client: S3,
  target: Target,
  content: AsyncIterable<Buffer>,
  abortSignal: AbortSignal,
): Promise<number> {
  const options = { abortSignal, requestTimeout }
  const { Bucket, Key } = target
  const parts: CompletedPart[] = []
  let UploadId: string | undefined
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let bytes = 0
  const sendPart = async () => {
    const Body = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    UploadId ??= (await client.createMultipartUpload(target, options)).UploadId
    const PartNumber = parts.length + 1
    const { ETag } = await client.uploadPart({ Bucket, Key, UploadId, PartNumber, Body }, options)
    parts.push({ PartNumber, ETag })
  }
  try {
    for await (const chunk of content) {
      waiting.push(chunk)
      waitingBytes += chunk.length
      bytes += chunk.length
      if (waitingBytes >= partBytes) await sendPart()
    }
    if (UploadId === undefined) {
      await client.putObject({ ...target, Body: Buffer.concat(waiting) }, options)
      return bytes
    }
    if (waitingBytes > 0) await sendPart()
    const MultipartUpload = { Parts: parts }
    await client.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload }, options)
    return bytes
  } catch (error) {
    if (UploadId !== undefined)
      await client
        .abortMultipartUpload({ Bucket, Key, UploadId }, { requestTimeout: 3000 })
        .catch(() => undefined)
    throw error
  }
}
