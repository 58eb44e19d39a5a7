import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../../config.ts'
import { startEmbeddedPostgres } from '../../engines/postgres/embedded-postgres.ts'
import { sizeThreadPool } from '../../engines/thread-pool.ts'
import { createTemplate } from '../test-database.ts'
import { cleanUpAtEnd } from '../../../../.ci/clean-up-at-end.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of this test run's engines; deleted at the end. */
    testFolder: string
    /** URL of this test run's PostgreSQL. */
    testServerUrl: string
  }
}

/** Starts one PostgreSQL for all test files of a run, with a database to clone. @returns a function that stops it after the last file */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // What the root project provides reaches all projects; the first of them starts the server.
  const root = vitest.getRootProject()
  if ('testServerUrl' in root.getProvidedContext()) return undefined
  cleanUpAtEnd()
  // Test processes inherit this; with the default of 4 threads, statements that wait for a store would block all others.
  sizeThreadPool(readConfig({}))
  const folder = await mkdtemp(join(tmpdir(), 'spool-test-'))
  // Compiled once for all processes that tests start.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  const server = await startEmbeddedPostgres(folder)
  await createTemplate(server.url)
  root.provide('testFolder', folder)
  root.provide('testServerUrl', server.url)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
