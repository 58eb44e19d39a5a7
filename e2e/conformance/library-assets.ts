import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { extname, parse, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { build } from 'vite'
import type { Asset } from './site.ts'

const folder = resolve(import.meta.dirname, '../../.conformance')
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
}

/** Bundles the pages in .conformance, whose libraries it installs first; returns the files by their paths. */
export async function buildLibraries(): Promise<Record<string, Asset>> {
  if (!isInstalled()) execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const files = globSync('pages/*.{js,jsx}', { cwd: folder })
  const built = await build({
    root: folder,
    base: '/library/',
    configFile: false,
    logLevel: 'error',
    plugins: [tailwindcss()],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: Object.fromEntries(files.map((file) => [parse(file).name, resolve(folder, file)])),
        output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  })
  if (!('output' in built)) throw new Error('Built several bundles, or none.')
  return Object.fromEntries(
    built.output.map((file) => [
      `/library/${file.fileName}`,
      {
        type: types[extname(file.fileName)] ?? 'application/octet-stream',
        body: file.type === 'chunk' ? file.code : Buffer.from(file.source),
      },
    ]),
  )
}

/** Whether npm has installed the libraries since their lock file changed. */
function isInstalled(): boolean {
  const installed = statSync(resolve(folder, 'node_modules/.package-lock.json'), { throwIfNoEntry: false })
  return (
    installed !== undefined && installed.mtimeMs >= statSync(resolve(folder, 'package-lock.json')).mtimeMs
  )
}
