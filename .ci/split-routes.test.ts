import { build, type Plugin, type Rolldown } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { splitRoutes } from './split-routes.ts'

const routes: Record<string, string> = {
  '/main.tsx': `export { Route as Item } from '/item.tsx'; export { Route as List } from '/list.tsx'`,
  '/item.tsx': `
    import { createFileRoute } from '@tanstack/react-router'
    import { first } from '/first.ts'
    import type { read as Reader } from '/page.ts'
    import { read, show } from '/page.ts'
    import '/effect.ts'
    const defaults = { tab: first }
    const heading = show('heading')
    export const Route = createFileRoute('/items/$id')({
      validateSearch: (search: { tab?: typeof Reader }) => ({ ...defaults, ...search }),
      async loader({ params }) {
        return read(params)
      },
      component: ItemPage,
      errorComponent: () => show('of the error component'),
    })
    function ItemPage() {
      return show([heading, Route.useSearch(), 'of the component'])
    }`,
  '/list.tsx': `
    import { createFileRoute } from '@tanstack/react-router'
    export const Route = createFileRoute('/')({ component: () => 'the list' })`,
  '/effect.ts': `globalThis.effect = 'effect of an import'`,
  '/first.ts': `export const first = 'needed first'`,
  '/page.ts': `export const read = () => 'read by the loader'; export const show = (what) => ['shown', what]`,
}

/** The code that is loaded at the start, and the code that is loaded on demand. */
type Split = { start: string; onDemand: string }

/** Bundles files, of which `/main.tsx` is the entry. */
async function split(files: Record<string, string>): Promise<Split> {
  const inMemory: Plugin = {
    name: 'in-memory',
    enforce: 'pre',
    resolveId: (id) => (files[id.replace('?page', '')] === undefined ? null : id),
    load: (id) => files[id.replace('?page', '')],
  }
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [inMemory, splitRoutes({ together: ['/'] })],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: '/main.tsx', external: /tanstack/, preserveEntrySignatures: 'strict' },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  const codes = (isOnDemand: boolean) =>
    output.map((chunk) => (chunk.type === 'chunk' && chunk.isDynamicEntry === isOnDemand ? chunk.code : ''))
  return { start: codes(false).join(''), onDemand: codes(true).join('') }
}

let built: Split

beforeAll(async () => {
  built = await split(routes)
})

test('the loader and the components of a route are loaded on demand, the other options at the start', () => {
  expect(built.start).toContain('needed first')
  for (const text of ['read by the loader', 'of the component', 'of the error component'])
    expect(built.onDemand).toContain(text)
  expect(built.onDemand).not.toContain('validateSearch')
})

test('the start contains nothing that only a page uses, even if a type has the same name', () => {
  for (const text of ['read by the loader', 'of the component', 'of the error component', 'shown', 'heading'])
    expect(built.start).not.toContain(text)
})

test('an import without names is loaded at the start', () => {
  expect(built.start).toContain('effect of an import')
})

test('the routes at the given paths are loaded at the start', () => {
  expect(built.start).toContain('the list')
})

test('a route that cannot be split makes the build fail, but a comment about routes does not', async () => {
  const route = `const Route = createFileRoute('/')({}); export { Route }`
  await expect(split({ '/main.tsx': route })).rejects.toThrow('/main.tsx: expected "export const Route')
  await expect(
    split({ '/main.tsx': `export const text = 'as in createFileRoute(path)' // ${route}` }),
  ).resolves.toBeDefined()
})
