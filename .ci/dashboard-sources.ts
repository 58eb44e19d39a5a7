import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const patterns = [
  'index.html',
  'shared.html',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  '.ci/*',
  'public/**/*',
  'src/contract/**/*',
  'src/dashboard/**/*',
  'src/replay/**/*',
]

/** The build does not read tests; the route tree follows from the names of the routes' files. */
const excluded = /\.test\.tsx?$|\.gen\.ts$/

/** Lists the files that a build of the dashboard reads, relative to `root`. package-lock.json represents all packages. */
export function dashboardSources(root: string): string[] {
  return globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !excluded.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Returns a hash that changes when one of these files is added, removed, renamed or changed. */
export function hashOfSources(root: string): string {
  const hash = createHash('sha256')
  for (const path of dashboardSources(root)) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Returns the project's files that a build reads but `dashboardSources` lacks. `ids` are the bundler's module ids. */
export function missingSources(root: string, ids: Iterable<string>): string[] {
  const sources = new Set(dashboardSources(root))
  return Array.from(ids, (id) => relative(root, id.replace(/\?.*$/, ''))).filter(
    (path) => isOfProject(path) && !excluded.test(path) && !sources.has(path),
  )
}

/** Ids of virtual modules contain a null character. */
function isOfProject(path: string): boolean {
  return !path.startsWith('..') && !path.includes('node_modules/') && !path.includes('\0')
}
