import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const service = `http://127.0.0.1:${process.env['SPOOL_PORT'] ?? 4280}`

export default defineConfig({
  // Unit tests need neither styles nor a route tree.
  plugins: process.env['VITEST']
    ? []
    : [
        tanstackRouter({
          target: 'react',
          autoCodeSplitting: true,
          routesDirectory: 'src/dashboard/routes',
          generatedRouteTree: 'src/dashboard/route-tree.gen.ts',
          addExtensions: true,
          // Saved in two steps, a page is empty for a moment: no example is to be written over it then.
          customScaffolding: { routeTemplate: '' },
          tmpDir: 'node_modules/.tanstack',
        }),
        react(),
        tailwindcss(),
        precompress(),
      ],
  // No data: URLs, so that the content security policy can stay strict.
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    // Two chunks that every page shares instead of one request per module.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](?!react-hook-form|@hookform)/ },
            {
              name: 'shared',
              test: /src[\\/](contract|dashboard[\\/](api|queries|ui|words|navigation)|dashboard[\\/]exports[\\/](export-actions|export-status))/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': service, '/_health': service } },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'node',
    pool: 'forks',
    globalSetup: 'src/service/engines/test-server.ts',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})

/** Writes `.br` and `.gz` beside what compresses well, so that the service has nothing to compress. */
function precompress(): Plugin {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      for (const [name, output] of Object.entries(bundle)) {
        if (!/\.(js|css|html)$/.test(name)) continue
        const content = output.type === 'chunk' ? output.code : output.source
        await writeFile(join(dir, `${name}.br`), brotliCompressSync(content, brotli))
        await writeFile(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
      }
    },
  }
}
