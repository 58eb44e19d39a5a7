import type { CompletedPart, CopyObjectCommandInput, S3 } from '@aws-sdk/client-s3'

/** `singleMax`: bytes up to which one request copies an object; `part`: bytes per request above that. */
type CopyLimits = { singleMax: number; part: number }

/** S3 copies at most 5 GB in one request; smaller parts are copied in parallel and within the time limit. */
export const s3CopyLimits: CopyLimits = { singleMax: 256 * 1024 ** 2, part: 256 * 1024 ** 2 }

const partsMax = 10_000
const partsAtOnce = 4
/** Time limit (ms) of a request that copies. */
const options = { requestTimeout: 60_000 }

type ObjectCopy = {
  Bucket: string
  /** Key of the source: letters, digits, `_`, `.`, `-` and `/`, which need no encoding in a header. */
  from: string
  to: string
  /** Size of the source. */
  bytes: number
  encryption: Pick<CopyObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>
}

/** Copies an object within its bucket; a large one in parts, which become visible together. */
export async function copyObject(
  client: S3,
  { Bucket, from, to, bytes, encryption }: ObjectCopy,
  { singleMax, part }: CopyLimits,
): Promise<void> {
  const CopySource = `${Bucket}/${from}`
  const single = async () => {
    await client.copyObject({ Bucket, Key: to, CopySource, ...encryption }, options)
  }
  if (bytes <= singleMax) return await single()
  try {
    await copyInParts(client, { Bucket, Key: to, ...encryption }, CopySource, rangesOf(bytes, part))
  } catch (error) {
    // Some stores cannot copy in parts, but copy an object of any size in one request.
    if (!(error instanceof Error) || error.name !== 'NotImplemented') throw error
    await single()
  }
}

/** Returns the byte ranges of the parts. */
function rangesOf(bytes: number, part: number): string[] {
  const size = Math.max(part, Math.ceil(bytes / partsMax))
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => {
    const start = index * size
    return `bytes=${start}-${Math.min(start + size, bytes) - 1}`
  })
}

async function copyInParts(
  client: S3,
  target: { Bucket: string; Key: string } & ObjectCopy['encryption'],
  CopySource: string,
  ranges: readonly string[],
): Promise<void> {
  const { Bucket, Key } = target
  const { UploadId } = await client.createMultipartUpload(target)
  const upload = { Bucket, Key, UploadId }
  try {
    const parts: CompletedPart[] = []
    const waiting = ranges.entries()
    const copyWaiting = async () => {
      for (const [index, CopySourceRange] of waiting) {
        const PartNumber = index + 1
        const part = { ...upload, PartNumber, CopySource, CopySourceRange }
        const copied = await client.uploadPartCopy(part, options)
        parts[index] = { PartNumber, ETag: copied.CopyPartResult?.ETag }
      }
    }
    await Promise.all(Array.from({ length: partsAtOnce }, copyWaiting))
    await client.completeMultipartUpload({ ...upload, MultipartUpload: { Parts: parts } }, options)
  } catch (error) {
    await client.abortMultipartUpload(upload).catch(() => undefined)
    throw error
  }
}
