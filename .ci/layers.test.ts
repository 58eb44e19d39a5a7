import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brokenRules, readImports, unwieldyFolders } from './layers.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'spool-layers-'))
})
afterEach(() => rm(root, { recursive: true }))

/** Writes these files to an empty root and returns the rules they break. */
async function brokenBy(files: Record<string, string>): Promise<string[]> {
  await write(files)
  return brokenRules(readImports(root))
}

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, code] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), code)
  }
}

test.each([
  ['the dashboard imports the service', 'src/dashboard/ui/a.ts', '../../service/clock.ts'],
  ['the service imports the dashboard', 'src/service/runs/a.ts', '../../dashboard/format/b.ts'],
  ['exports import recordings', 'src/dashboard/exports/list/a.ts', '../../recordings/list/b.ts'],
  ['recordings import exports', 'src/dashboard/recordings/list/a.ts', '../../exports/list/b.ts'],
  ['ui imports a query', 'src/dashboard/ui/list/a.ts', '../../queries/b.ts'],
  ['ui imports a route', 'src/dashboard/ui/a.ts', '../routes/b.ts'],
  ['a query imports a feature', 'src/dashboard/queries/a.ts', '../exports/list/b.ts'],
  ['a domain folder imports the server', 'src/service/runs/a.ts', '../server/b.ts'],
  ['a domain folder imports a handler', 'src/service/recordings/filter/a.ts', '../../handlers/exports/b.ts'],
  ['the store imports the domain', 'src/service/store/a.ts', '../runs/b.ts'],
  ['an engine imports the store', 'src/service/engines/a.ts', '../store/b.ts'],
  ['the service imports test helpers', 'src/service/runs/a.ts', '../testing/b.ts'],
  ['the dashboard imports test helpers', 'src/dashboard/recordings/player/a.ts', '../testing/b.ts'],
  ['the contract imports the service', 'src/contract/a.ts', '../service/clock.ts'],
  ['the contract imports a package other than zod', 'src/contract/a.ts', 'react'],
  ['the contract imports a part of zod', 'src/contract/a.ts', 'zod/v4/core'],
  ['the dashboard imports a module of Node.js', 'src/dashboard/ui/a.ts', 'node:fs'],
  ['the dashboard imports the database', 'src/dashboard/queries/a.ts', 'pg'],
])('reports that %s', async (_, file, specifier) => {
  expect(await brokenBy({ [file]: `import { b } from '${specifier}'` })).toEqual([
    expect.stringContaining(`${file} imports `),
  ])
})

test.each([
  `import type { B } from '../server/b.ts'`,
  `import { type B } from '../server/b.ts'`,
  `export { b } from '../server/b.ts'`,
  `export type * from '../server/b.ts'`,
  `const b = await import('../server/b.ts')`,
  `type B = import('../server/b.ts').B`,
])('%s counts as an import', async (code) => {
  expect(await brokenBy({ 'src/service/runs/a.ts': code })).toHaveLength(1)
})

test('type-only imports can form a circle', async () => {
  const broken = await brokenBy({
    'src/contract/a.ts': `import type { B } from './b.ts'; export type A = B`,
    'src/contract/b.ts': `export type { C as B } from './c.ts'`,
    'src/contract/c.ts': `export type C = import('./a.ts').A`,
  })
  expect(broken).toEqual([expect.stringContaining('a circle: ')])
  for (const name of ['a', 'b', 'c']) expect(broken[0]).toContain(`src/contract/${name}.ts`)
})

test.each([2, 3, 4])(
  'a circle of %i sibling folders is reported, whichever files form it',
  async (length) => {
    const names = ['capture', 'recordings', 'runs', 'alerts'].slice(0, length)
    const files = names.flatMap((name, index) => [
      [`src/service/${name}/a.ts`, `import type { B } from '../${names[(index + 1) % length]}/inner/b.ts'`],
      [`src/service/${name}/inner/b.ts`, 'export type B = string'],
    ])
    const broken = await brokenBy(Object.fromEntries(files))
    expect(broken).toEqual([expect.stringContaining('a circle: ')])
    for (const name of names) expect(broken[0]).toContain(`src/service/${name}`)
    expect(broken[0]).not.toContain('inner')
  },
)

test('inner folders of one folder can form a circle too', async () => {
  const broken = await brokenBy({
    'src/service/handlers/alerts/a.ts': `import '../exports/b.ts'`,
    'src/service/handlers/alerts/b.ts': '',
    'src/service/handlers/exports/a.ts': `import '../alerts/b.ts'`,
    'src/service/handlers/exports/b.ts': '',
  })
  expect(broken).toEqual([
    expect.stringMatching(/^a circle: src\/service\/handlers\/\w+ → src\/service\/handlers\/\w+ → /),
  ])
})

test('a folder with its parent, files beside folders and tests form no circle', async () => {
  const broken = await brokenBy({
    'src/service/runs/a.ts': `import './inner/a.ts'; import '../services.ts'`,
    'src/service/runs/b.ts': '',
    'src/service/runs/inner/a.ts': `import '../b.ts'`,
    'src/service/services.ts': `import './runs/b.ts'; import './capture/a.ts'`,
    'src/service/capture/a.ts': '',
    'src/service/capture/a.test.ts': `import '../runs/a.ts'`,
    'src/service/runs/c.ts': `import '../capture/a.ts'`,
  })
  expect(broken).toEqual([])
})

test('a folder with more than 25 files or more than three folders below src is reported', async () => {
  const named = (folder: string, count: number, end: string): [string, string][] =>
    Array.from({ length: count }, (_, index) => [`${folder}/${index}${end}`, ''])
  await write(Object.fromEntries([...named('src/a/b/c', 25, '.sql'), ...named('src/a/b/c', 5, '.test.ts')]))
  expect(unwieldyFolders(root)).toEqual([])
  await write({ 'src/a/b/c/page.css': '', 'src/a/b/c/d/e.ts': '' })
  expect(unwieldyFolders(root).sort()).toEqual([
    'src/a/b/c contains 26 files, more than 25',
    'src/a/b/c/d is more than 3 folders below src',
  ])
})

test('imports downward, within a layer and by tests are allowed', async () => {
  const broken = await brokenBy({
    'src/contract/a.ts': `import { z } from 'zod'`,
    'src/contract/a.test.ts': `import { test } from 'vitest'; import '../service/runs/a.ts'`,
    'src/dashboard/ui/a.ts': `import '../format/a.ts'; import '../../contract/a.ts'`,
    'src/dashboard/format/a.ts': '',
    'src/service/runs/a.ts': `import '../capture/a.ts'; import '../store/a.ts'; import 'node:fs'`,
    'src/service/runs/a.test.ts': `import '../server/a.ts'; import '../testing/a.ts'`,
    'src/service/capture/a.ts': '',
    'src/service/store/a.ts': '',
    'src/service/server/a.ts': '',
    'src/service/testing/a.ts': `import '../server/a.ts'`,
    'e2e/a.e2e.ts': `import '../src/service/testing/a.ts'`,
  })
  expect(broken).toEqual([])
})

test('a file that no layer names is reported', async () => {
  expect(await brokenBy({ 'src/service/new/a.ts': '' })).toEqual(['src/service/new/a.ts is in no layer'])
})
