import { statfs } from 'node:fs/promises'
import { downEngine, isDiskFull } from './down-engine.ts'

type Places = {
  dataDirectory: string
  databaseUrl: string | null
  clickhouseUrl: string | null
  objectsUrl: string | null
}

/** Free bytes below which the embedded PostgreSQL may have ended because the disk is full: two files of its write-ahead log. */
const walBytes = 32 * 1024 * 1024

/** Returns a sentence that names the full disk if one is the reason for an error; null for any other error. */
export async function fullDisk(error: unknown, places: Places): Promise<string | null> {
  const engine = downEngine(error)
  const urls = {
    PostgreSQL: places.databaseUrl,
    ClickHouse: places.clickhouseUrl,
    'The object storage': places.objectsUrl,
  }
  const isHere = engine === null || urls[engine] === null
  const hasEnded = async () =>
    engine === 'PostgreSQL' && isHere && ((await freeBytes(places.dataDirectory)) ?? walBytes) < walBytes
  if (!isDiskFull(error) && !(await hasEnded())) return null
  const name = engine?.replace('The ', '') ?? 'files'
  const server = name === 'object storage' ? name : `${name} server`
  return `The disk of the ${isHere ? `data directory (${name})` : server} is full: free some space, then try again.`
}

/** Returns the free bytes of a folder's disk; null without that folder. */
export async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null)
  return disk && disk.bavail * disk.bsize
}
