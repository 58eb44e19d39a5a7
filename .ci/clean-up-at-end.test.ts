import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { processStart } from '../src/service/engines/postgres/process-identity.ts'
import { postmaster } from '../src/service/testing/servers/postgres-processes.ts'

const root = resolve(import.meta.dirname, '..')
const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'src/service/problems/down-engine.test.ts']

/** This part keeps no data between runs, so its PostgreSQL is in the test's folder. */
const bench = ['e2e/bench/bench.ts', 'sign-in']
for (const [tool, args, name, target, tags] of [
  ['the benchmarks', bench, 'SIGTERM', 1, ['slow']],
  ['the unit tests', vitest, 'SIGINT', -1, []],
  ['the chaos runs', ['e2e/chaos.ts'], 'SIGKILL', 1, []],
] as const)
  test(`${tool} leave no process and no file after ${name}`, { tags: [...tags] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tool-'))
    const env = { ...process.env, TMPDIR: folder, SPOOL_TOOL_FOLDER: '' }
    // In a process group of its own, as in a terminal.
    const child = spawn(process.execPath, args, {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.resume()
    child.stderr.resume()
    // The process that cleans up holds the output open until it is done.
    const closed = once(child, 'close')
    const cluster = await vi.waitFor(
      () => {
        const [file] = globSync(`${folder}/**/postgres/postmaster.pid`)
        if (file === undefined) throw new Error('PostgreSQL has not started')
        return dirname(file)
      },
      { timeout: 30_000, interval: 20 },
    )
    const server = await postmaster(cluster)
    process.kill(target * (child.pid ?? 0), name)
    await closed
    expect([await processStart(server), await readdir(folder)]).toEqual([null, []])
  })
