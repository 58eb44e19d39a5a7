import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hashOfSources, missingSources } from './dashboard-sources.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spool-sources-'))
  for (const path of ['index.html', 'src/dashboard/replay/player.html', 'src/dashboard/routes/index.tsx'])
    write(path, path)
  onTestFinished(() => rmSync(root, { recursive: true }))
})

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

test.each([
  'src/dashboard/replay/player.html',
  'src/dashboard/styles.css',
  'src/contract/endpoints.ts',
  'public/demo/index.html',
  'index.html',
  'vite.config.ts',
  '.ci/dashboard-sources.ts',
  'package-lock.json',
  'tsconfig.json',
])('a change of %s changes the hash', (path) => {
  write(path, 'before')
  const hash = hashOfSources(root)
  write(path, 'after')
  expect(hashOfSources(root)).not.toBe(hash)
})

test('adding, renaming and removing a route changes the hash; restoring the files restores the hash', () => {
  const hash = hashOfSources(root)
  const route = join(root, 'src/dashboard/routes/_app/keys.tsx')
  write('src/dashboard/routes/_app/keys.tsx', '')
  const withRoute = hashOfSources(root)
  renameSync(route, `${route}x`)
  const renamed = hashOfSources(root)
  expect(new Set([hash, withRoute, renamed]).size).toBe(3)
  rmSync(`${route}x`)
  expect(hashOfSources(root)).toBe(hash)
})

test.each([
  'README.md',
  'e2e/budgets.e2e.ts',
  'src/service/main.ts',
  'src/dashboard/format/time.test.ts',
  'src/dashboard/route-tree.gen.ts',
  'dist/index.html',
])('a change of %s does not change the hash', (path) => {
  const hash = hashOfSources(root)
  write(path, 'new')
  expect(hashOfSources(root)).toBe(hash)
})

test('modules outside the patterns are missing sources, but packages, virtual and generated modules are not', () => {
  const ids = [
    'index.html',
    'src/dashboard/routes/index.tsx?page',
    'src/dashboard/route-tree.gen.ts',
    'node_modules/zod/index.js',
    '\0vite/preload-helper.js',
    'src/elsewhere/logo.svg?url',
  ].map((path) => (path.startsWith('\0') ? path : join(root, path)))
  expect(missingSources(root, ids)).toEqual(['src/elsewhere/logo.svg'])
})
