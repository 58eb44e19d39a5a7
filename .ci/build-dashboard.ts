import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { hashOfSources, missingSources } from './dashboard-sources.ts'

/** Builds the dashboard into dist/ when a file that the build reads has changed since the last build. */

const root = resolve(import.meta.dirname, '..')
const mark = resolve(root, 'dist/.sources')

/** Fails a build that reads a file missing from the hash: a change of that file would leave a stale dashboard. */
function allSourcesHashed(): Plugin {
  let configFiles: string[] = []
  return {
    name: 'all-sources-hashed',
    configResolved: ({ configFileDependencies }) => {
      configFiles = configFileDependencies
    },
    buildEnd() {
      const missing = missingSources(root, [...configFiles, ...this.getModuleIds()])
      if (missing.length > 0) this.error(`.ci/dashboard-sources.ts does not list ${missing.join(', ')}.`)
    },
  }
}

const hash = hashOfSources(root)
const built = await readFile(mark, 'utf8').catch(() => null)
if (built === hash) {
  console.log('The dashboard is up to date.')
} else {
  const started = performance.now()
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn', plugins: [allSourcesHashed()] })
  await writeFile(mark, hash)
  console.log(`Built the dashboard in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
