import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from './bench-figure.ts'

const folder = join(import.meta.dirname, '../../node_modules/.cache/bench')
/** Age (ms) beyond which data are made again: filters such as “yesterday” depend on it. */
const ageMax = 86_400_000

/**
 * Returns a data directory that an earlier run made with the same source file, or makes one.
 * @param source path of the file that makes the data
 * @param fill fills an unused data directory, and returns what a later run must know
 */
export async function keptData<Known>(
  name: string,
  source: string,
  fill: (dataDirectory: string) => Promise<Known>,
): Promise<{ dataDirectory: string; known: Known }> {
  const hash = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 12)
  const place = join(folder, `${name}-${hash}`)
  const dataDirectory = join(place, 'data')
  const file = join(place, 'known.json')
  const made = await stat(file).catch(() => null)
  if (made && Date.now() - made.mtimeMs < ageMax)
    return { dataDirectory, known: JSON.parse(await readFile(file, 'utf8')) as Known }
  await mkdir(folder, { recursive: true })
  for (const old of await readdir(folder))
    if (old.startsWith(`${name}-`)) await rm(join(folder, old), { recursive: true, force: true })
  const known = await fill(dataDirectory)
  // The file appears last and at once, so that data of a run that was stopped are made again.
  await writeFile(`${file}.new`, JSON.stringify(known))
  await rename(`${file}.new`, file)
  return { dataDirectory, known }
}

/** Measures the files of a folder. */
export async function diskFigure(stored: string, place: string, bound: number): Promise<Figure> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
  return { name: `disk for ${stored}`, measured: bytes / 1e6, bound, unit: 'MB' }
}
