import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export type ObjectStore = {
  endpoint: string
  /** Every object of the bucket, by key. */
  objects(bucket: string): Promise<Map<string, Buffer>>
  stop(): Promise<void>
}

/** An S3 server on a free port with these buckets; it takes the key `S3RVER` and the secret `S3RVER`. */
export async function startObjectStore(...buckets: string[]): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async objects(bucket) {
      const folder = join(directory, bucket)
      const names = await readdir(folder, { recursive: true })
      const suffix = '._S3rver_object'
      const found = names.filter((name) => name.endsWith(suffix))
      const entries = found.map(
        async (name) => [name.slice(0, -suffix.length), await readFile(join(folder, name))] as const,
      )
      return new Map(await Promise.all(entries))
    },
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
