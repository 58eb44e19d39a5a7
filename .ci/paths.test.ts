import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { documentsIn, missingPaths } from './paths.ts'

const files = [
  'package.json',
  '.github/exports.png',
  '.ci/run',
  'e2e/exports.e2e.ts',
  'src/contract/endpoints.ts',
  'src/dashboard/routes/_app/exports.$id.tsx',
  'src/dashboard/account.ts',
  'src/service/runs/worker.ts',
]

function missing(text: string, document = 'README.md'): string[] {
  const root = mkdtempSync(join(tmpdir(), 'spool-paths-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const path of [...files, document]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  writeFileSync(join(root, '.gitignore'), 'dist/\n\n*.log\n.spool/\n')
  return missingPaths(root, document).map(({ line, path }) => `${line}: ${path}`)
}

test.each([
  ['a file', 'See `src/service/runs/worker.ts`.'],
  ['a folder', 'See `src/service/runs` and `src/contract/`.'],
  ['a module without its extension', 'See `src/contract/endpoints`.'],
  ['a route', 'See `src/dashboard/routes/_app/exports.$id.tsx`.'],
  ['a file name alone', '`endpoints.ts`, `exports.png`; versions are in package.json.'],
  ['a diagram', '```\ndashboard/routes → contract/endpoints ← runs/worker | account.ts\n```'],
  [
    'a path in a command',
    '```sh\nnpx vitest run src/service/runs   # runs, only\nCONFIG=package.json .ci/run\n```',
  ],
  ['a link', 'See [the `endpoints`](src/contract/endpoints.ts#L3).'],
  ['an image', '![List](.github/exports.png) <img src=".github/exports.png" alt="a/b">'],
  ['globs', '`e2e/*.e2e.ts`, `src/{contract,service}/**/*.ts`'],
  ['a placeholder', '`src/dashboard/routes/_app/<name>.tsx`, `src/service/…/worker.ts`'],
])('accepts %s that exists', (_, text) => {
  expect(missing(text)).toEqual([])
})

test.each([
  ['a file', 'One.\n\nSee `src/service/runs/work.ts`.', '3: src/service/runs/work.ts'],
  ['a folder', 'See `src/service/run`', '1: src/service/run'],
  ['a file as a folder', 'See `src/contract/endpoints.ts/`', '1: src/contract/endpoints.ts/'],
  ['a file name alone', '`endpoint.ts`', '1: endpoint.ts'],
  ['a file name in a sentence', 'Versions are in packages.json.', '1: packages.json'],
  ['a diagram', '```\ndashboard/routes → contract/endpoint\n```', '2: contract/endpoint'],
  ['a path in a command', '```sh\nnpx vitest run src/jobs\n```', '2: src/jobs'],
  ['a link', '[it](docs/api.md#keys)', '1: docs/api.md'],
  ['an image', '![List](.github/export.png)', '1: .github/export.png'],
  ['an image in HTML', '<source srcset=".github/dark.png">', '1: .github/dark.png'],
  ['a glob', '`e2e/*.test.ts`', '1: e2e/*.test.ts'],
  ['a placeholder', '`src/pages/<name>.tsx`', '1: src/pages/'],
])('reports %s that does not exist', (_, text, expected) => {
  expect(missing(text)).toEqual([expected])
})

test.each([
  'Find it at `https://example.org/a.html` or <http://127.0.0.1:4280/demo>; `s3://bucket/prefix?endpoint=…`.',
  '`/api/schema/`, `/shared/<access_token>`, `@clickhouse/client`, `$HOME/spool`, `DATABASE_URL`, `batch_export:read`',
  '`npm ci && npm start`, `.spool/exports/`, `dist/index.html`, `dist`, `SPOOL_ROLES=serve,schedule,work`',
  'Requests/minute and/or Node.js 24.',
])('ignores other words: %s', (text) => {
  expect(missing(text)).toEqual([])
})

test('paths may be relative to the document’s folder; all but links with ../ may also be relative to the root', () => {
  const text = '[a](../package.json) [b](exports.png) `src/contract`\n[c](../exports.png)'
  expect(missing(text, '.github/CONTRIBUTING.md')).toEqual(['2: ../exports.png'])
})

test('a document in .github/docs may link to its neighbours, pictures beside the folder, and the root', () => {
  const text = '[a](exports.md) ![b](../exports.png) [c](../../package.json) [d](alerts.md)'
  expect(missing(text, '.github/docs/exports.md')).toEqual(['1: alerts.md'])
})

test('the README, the contributors’ guide and all documents in .github/docs are checked', () => {
  const docs = documentsIn(resolve(import.meta.dirname, '..'))
  expect(docs).toEqual(
    expect.arrayContaining(['README.md', '.github/CONTRIBUTING.md', '.github/docs/exports.md']),
  )
})
