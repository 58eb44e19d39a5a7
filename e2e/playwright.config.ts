import { defineConfig, devices } from '@playwright/test'
import { installBrowser } from '../.ci/install-browser.ts'
import { cleanUpAtEnd } from '../.ci/clean-up-at-end.ts'

cleanUpAtEnd()
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  // More than the two cores of CI, because many tests wait for a run or a time limit.
  workers: 4,
  // A worker that has no file left would otherwise wait for the others to end theirs.
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: installBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
