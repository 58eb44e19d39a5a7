import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIngest } from '../capture/ingest.ts'
import { tick } from './scheduler.ts'
import { testJobs, type TestJobs } from './test-jobs.ts'
import { openWorker } from './worker.ts'

let jobs: TestJobs
beforeAll(async () => {
  jobs = await testJobs(Date.UTC(2026, 2, 10, 12))
})
afterAll(() => jobs.cleanup())
