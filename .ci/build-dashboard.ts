import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'

/** Builds the dashboard into dist/ when what it is made of has changed since the last build. */

const sources = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'public/**/*',
  'src/contract/**/*.ts',
  'src/dashboard/**/*.{ts,tsx,css}',
]
const mark = 'dist/.sources'

async function hashOfSources(): Promise<string> {
  const files = globSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.') && !entry.name.includes('.gen.'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(await readFile(file))
      .update('\0')
  return hash.digest('hex')
}

const hash = await hashOfSources()
const built = await readFile(mark, 'utf8').catch(() => null)
if (built === hash) {
  console.log('The dashboard is up to date.')
} else {
  const started = performance.now()
  const { build } = await import('vite')
  await build({ logLevel: 'warn' })
  await writeFile(mark, hash)
  console.log(`Built the dashboard in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
