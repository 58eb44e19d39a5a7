import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type ConfigEnv, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { quickTextAdds } from './.ci/quick-text-adds.ts'
import { splitRoutes } from './.ci/split-routes.ts'

const service = `http://127.0.0.1:${process.env['SPOOL_PORT'] ?? 4280}`

const routesFolder = 'src/dashboard/routes'
const routeTree = 'src/dashboard/route-tree.gen.ts'
const playerPage = 'src/dashboard/recordings/frame/player.html'
const sharedPage = 'shared.html'

const stylesId = /\/dashboard\/styles\.css$/

const globalSetup = 'src/service/testing/servers/test-server.ts'

/** Tests of other engines, of what a process uses or of its state, and one that deletes, which is slow among many rows. */
const ownProcessTests = [
  '.ci/clean-up-at-end.test.ts',
  'src/service/{admin,main,previous-version,start-background,start-loops}.test.ts',
  'src/service/engines/**/*.test.ts',
  'src/service/**/{clickhouse,crash,parse,person-erasures,repair-crash,replay-death,replay-item,sample-events}.test.ts',
]

/** Tests that spend most of their time waiting, for time limits and retries. */
const waitingTests = /\/(rebinding|hung-destination|postgres-faults|stop)\.test\.ts$/

// Inlining no assets as data: URLs keeps the content security policy strict.
const output = {
  outDir: 'dist',
  target: 'es2023',
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
}

/** Creating a schema has no side effects, so that the bundler drops schemas that nothing uses. */
const treeshake = { manualPureFunctions: ['z'], propertyReadSideEffects: false } as const

/** Returns a function that gives a chunk's name to modules that import no schemas, directly or indirectly, and null to others. */
function withoutSchemas(name: string): (id: string, context: Rolldown.ChunkingContext) => string | null {
  const results = new Map<string, boolean>()
  const importsSchemas = (id: string, context: Rolldown.ChunkingContext): boolean => {
    const known = results.get(id)
    if (known !== undefined) return known
    // Ends the search in modules that import each other; those of src never do.
    results.set(id, false)
    const imported = context.getModuleInfo(id)?.importedIds ?? []
    const found =
      /\/node_modules\/zod\//.test(id) || [...imported].some((each) => importsSchemas(each, context))
    results.set(id, found)
    return found
  }
  return (id, context) => (importsSchemas(id, context) ? null : name)
}

/** Without this, a build on a busy machine warns which plugins took long. */
const checks = { bundlerTimings: false }

/** ES modules, so that workers can import code on demand. */
const worker = { format: 'es' } as const

// React itself has this hook; the shim would only add bytes.
const resolve = {
  alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
}

export default defineConfig(async ({ command }) => ({
  // Unit tests need neither styles nor a route tree.
  plugins: process.env['VITEST']
    ? []
    : [routes(command), react(), tailwindcss(), playerAtTop(), listPages(), precompress(), pagesApart()],
  build: {
    ...output,
    rolldownOptions: {
      input: 'index.html',
      treeshake,
      checks,
      output: {
        codeSplitting: {
          groups: [
            // The first page and all that it imports; it would otherwise be split by what other pages share with it.
            { name: 'first-page', test: /index\.html$/, priority: 1 },
            // What many pages share; each page would otherwise load dozens of small files. Schemas take long to run, and the
            // page of a recording needs none at first.
            { name: withoutSchemas('pages'), minShareCount: 5 },
            { name: 'schemas', minShareCount: 5 },
          ],
        },
      },
    },
  },
  resolve,
  worker,
  server: {
    proxy: { '/api': service, '/_health': service, '/recorded-assets': service, '/exported-files': service },
  },
  test: {
    environment: 'node',
    pool: 'forks',
    // More than the two cores of CI, because many tests wait for time limits.
    maxWorkers: 3,
    ...(process.env['VITEST'] && { sequence: { sequencer: await waitsAmongOthers() } }),
    testTimeout: 120_000,
    tags: [{ name: 'slow', description: 'Left out of `npm test`; `npm run test:slow` runs it.' }],
    hookTimeout: 60_000,
    projects: [
      // Files run in the order of these names: those that take longest first.
      {
        extends: true,
        test: { name: 'own process', include: ownProcessTests, globalSetup },
      },
      {
        extends: true,
        // Without engines, a file leaves nothing behind, so that the next one can use its process and its modules.
        test: {
          name: 'pure',
          include: ['src/{contract,dashboard,replay}/**/*.test.{ts,tsx}', '.ci/**/*.test.ts'],
          exclude: ownProcessTests,
          isolate: false,
        },
      },
      {
        extends: true,
        // Each file has a database of its own, and project ids that no other has; importing the service takes a second.
        test: {
          name: 'service',
          include: ['src/service/**/*.test.ts'],
          exclude: ownProcessTests,
          globalSetup,
          isolate: false,
        },
      },
    ],
  },
}))

/** Starts larger files first, and between them those that wait: being small, they would otherwise run last, beside nothing. */
async function waitsAmongOthers() {
  const { BaseSequencer } = await import('vitest/node')
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files)
      const { waiting = [], others = [] } = Object.groupBy(sorted, ({ moduleId }) =>
        waitingTests.test(moduleId) ? 'waiting' : 'others',
      )
      const start = others.findIndex(({ project }) => project.name === 'service')
      // One after another: they take as long as about ten others.
      for (const [index, file] of waiting.entries()) others.splice(start + 10 * index, 0, file)
      return others
    }
  }
}

/**
 * Writes the route tree, if files of routes have been added, renamed or removed, and splits the routes. Loading the router's
 * plugin and parsing with it takes two seconds of a build.
 */
async function routes(command: ConfigEnv['command']): Promise<Plugin[]> {
  // The first page stays in the entry.
  const split = splitRoutes({ together: ['/_app', '/_app/exports/'] })
  if (command === 'build' && (await isTreeCurrent())) return [split]
  const { tanstackRouter } = await import('@tanstack/router-plugin/vite')
  const router = tanstackRouter({
    target: 'react',
    autoCodeSplitting: command === 'serve',
    routesDirectory: routesFolder,
    generatedRouteTree: routeTree,
    addExtensions: true,
    // Editors can save a page in two steps; the plugin must not fill the file while it is empty.
    customScaffolding: { routeTemplate: '' },
    // No one edits this file; formatting it takes 0.3 s of processor time.
    enableRouteTreeFormatting: false,
    tmpDir: 'node_modules/.tanstack',
  })
  return [router, split].flat()
}

/** Whether the route tree lists exactly the files of routes; their contents are not compared. */
async function isTreeCurrent(): Promise<boolean> {
  if (!existsSync(routeTree)) return false
  const tree = await readFile(routeTree, 'utf8')
  const listed = Array.from(tree.matchAll(/ from '\.\/routes\/(.+)'/g), ([, file]) => file)
  const files = globSync('**/*.tsx', { cwd: routesFolder })
  return listed.toSorted().join() === files.toSorted().join()
}

/**
 * Serves the document in which recordings play at /player.html, where the service sets its own content security policy, and
 * while developing, shared.html at the address of every link.
 */
function playerAtTop(): Plugin {
  return {
    name: 'player-at-top',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url === '/player.html') request.url = `/${playerPage}`
        if (/^\/(shared|embedded)\/[^/]+\/?(\?|$)/.test(request.url ?? '')) request.url = `/${sharedPage}`
        next()
      })
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[playerPage]
        if (page) page.fileName = 'player.html'
      },
    },
  }
}

/**
 * Builds the page of shared recordings and the player's frame on their own: files in common with the dashboard would make all
 * larger, and contain what the frame cannot run.
 */
function pagesApart(): Plugin {
  let builds: Promise<unknown>[] = []
  let styles = ''
  // The page of shared recordings has the dashboard's styles, which Tailwind would compile again.
  const sameStyles: Plugin = {
    name: 'same-styles',
    enforce: 'pre',
    transform: { filter: { id: stylesId }, handler: () => styles },
  }
  return {
    name: 'pages-apart',
    apply: 'build',
    // After Tailwind.
    enforce: 'pre',
    transform: {
      filter: { id: stylesId },
      handler(code) {
        styles = code
      },
    },
    renderStart: {
      // The folder has been emptied; the rest of the dashboard's build is done at the same time.
      order: 'post',
      handler() {
        builds = [sharedPage, playerPage].map((input) =>
          build({
            configFile: false,
            resolve,
            worker,
            publicDir: false,
            logLevel: 'warn',
            plugins: [react(), sameStyles, playerAtTop(), quickTextAdds(), precompress()],
            build: { ...output, emptyOutDir: false, rolldownOptions: { input, treeshake, checks } },
          }),
        )
      },
    },
    async closeBundle() {
      await Promise.allSettled(builds)
      await Promise.all(builds)
    },
  }
}

/** Lists the routes of all pages in pages.json, from which the service knows the addresses that exist. */
function listPages(): Plugin {
  return {
    name: 'list-pages',
    apply: 'build',
    async generateBundle() {
      const tree = await readFile(routeTree, 'utf8')
      const [, entries = ''] = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree) ?? []
      const routes = Array.from(entries.matchAll(/'([^']+)': typeof/g), ([, route]) => route)
      if (routes.length === 0) this.error('route-tree.gen.ts lists no routes.')
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(routes) })
    },
  }
}

/** Writes `.br` and `.gz` copies of text files, so that the service does not compress them per request. */
function precompress(): Plugin {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const texts = Object.entries(bundle).filter(([name]) => /\.(js|css|html)$/.test(name))
      // At the same time: compression uses all cores.
      await Promise.all(
        texts.map(async ([name, output]) => {
          const content = output.type === 'chunk' ? output.code : output.source
          await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(content, brotli))
          await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}
