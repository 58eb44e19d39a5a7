import { build, type Plugin } from 'vite'

/** Bundles a module as the dashboard is built, and returns the JavaScript, not minified. For tests of build plugins. */
export async function bundle(code: string, plugins: Plugin[]): Promise<string> {
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? id : null),
    load: (id) => (id === 'entry' ? code : null),
  }
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [entry, ...plugins],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: 'entry', preserveEntrySignatures: 'strict' },
    },
  })
  if (!('output' in built)) throw new Error('Built several bundles, or none.')
  return built.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
}
