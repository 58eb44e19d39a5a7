import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
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
          tmpDir: 'node_modules/.tanstack',
        }),
        react(),
        tailwindcss(),
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
              test: /src[\\/](contract|dashboard[\\/](api|queries|ui|words|navigation))[\\/]/,
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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
