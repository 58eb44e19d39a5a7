import { build, type Plugin, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { splitRoutes } from './split-routes.ts'

const files: Record<string, string> = {
  '/main.ts': `export { Route as Item } from '/item.tsx'; export { Route as List } from '/list.tsx'`,
  '/item.tsx': `
    import { createFileRoute } from '@tanstack/react-router'
    import { first } from '/first.ts'
    import type { read as Reader } from '/page.ts'
    import { read, show } from '/page.ts'
    const defaults = { tab: first }
    const heading = show('heading')
    export const Route = createFileRoute('/items/$id')({
      validateSearch: (search: { tab?: typeof Reader }) => ({ ...defaults, ...search }),
      loader: ({ params }) => read(params),
      component: ItemPage,
    })
    function ItemPage() {
      return show([heading, Route.useSearch(), 'of the component'])
    }`,
  '/list.tsx': `
    import { createFileRoute } from '@tanstack/react-router'
    export const Route = createFileRoute('/')({ component: () => 'the list' })`,
  '/first.ts': `export const first = 'needed first'`,
  '/page.ts': `export const read = () => 'read by the loader'; export const show = (what) => ['shown', what]`,
}

/** Bundles these files, and returns the code that is loaded at the start and the code that is loaded on demand. */
async function split(): Promise<{ start: string; onDemand: string }> {
  const inMemory: Plugin = {
    name: 'in-memory',
    enforce: 'pre',
    resolveId: (id) => (files[id.replace('?page', '')] === undefined ? null : id),
    load: (id) => files[id.replace('?page', '')],
  }
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [inMemory, splitRoutes({ together: ['/'] })],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: '/main.ts', external: /tanstack/, preserveEntrySignatures: 'strict' },
    },
  })
  const { output } = built as Rolldown.RolldownOutput
  const codes = (isOnDemand: boolean) =>
    output.map((chunk) => (chunk.type === 'chunk' && chunk.isDynamicEntry === isOnDemand ? chunk.code : ''))
  return { start: codes(false).join(''), onDemand: codes(true).join('') }
}

test('the loader and the component of a route are loaded on demand, the other options at the start', async () => {
  const { start, onDemand } = await split()
  expect(start).toContain('needed first')
  expect(onDemand).toContain('read by the loader')
  expect(onDemand).toContain('of the component')
  expect(onDemand).not.toContain('validateSearch')
})

test('the start contains nothing that only a page uses, even if a type has the same name', async () => {
  const { start } = await split()
  for (const text of ['read by the loader', 'of the component', 'shown', 'heading'])
    expect(start).not.toContain(text)
})

test('the routes at the given paths are loaded at the start', async () => {
  expect((await split()).start).toContain('the list')
})
