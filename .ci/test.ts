import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import {
  Count,
  countBrowserTests,
  countUnitTests,
  failedBrowserTests,
  failedUnitTests,
  filesToRepeat,
} from './count.ts'
import { installBrowser } from './install-browser.ts'
import { cleanUpAtEnd } from './clean-up-at-end.ts'
import { unhandledErrorsFile } from './unhandled-errors.ts'

cleanUpAtEnd()
const root = resolve(import.meta.dirname, '..')
/** Whether to run only the slow tests, which `npm test` leaves out. */
const slow = process.argv.includes('--slow')
// All processes share what Node has compiled, also those that tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/node')
// The type checker and the linter, which are written in Go, spend a fifth less time when they collect garbage less often.
process.env['GOGC'] ??= '400'
const reports = mkdtempSync(join(tmpdir(), 'spool-test-'))
/** A line for each test that failed, or that passed only when it was repeated. */
const failures: string[] = []

/** Runs an installed command-line tool with inherited output; resolves to whether it exited with 0. */
function run(name: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n— ${name} ${args.join(' ')}`)
  return succeeded(start(name, args, 'inherit', env))
}

function start(name: string, args: string[], output: 'inherit' | 'pipe', env: Record<string, string> = {}) {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  return spawn(name, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, PATH: path, ...env },
  })
}

function succeeded(child: ChildProcess): Promise<boolean> {
  return new Promise((resolveRun, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolveRun(code === 0))
  })
}

/** Runs a tool beside others, and prints its output when it has ended. */
async function check(name: string, ...args: string[]): Promise<Count> {
  const child = start(name, args, 'pipe')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ok = await succeeded(child)
  console.log(`\n— ${name} ${args.join(' ')}\n${output}`)
  if (ok) return { passed: 1, failed: 0 }
  failures.push([name, ...args].join(' '))
  return { passed: 0, failed: 1 }
}

/** Runs the unit tests, then once more each file that failed, with new servers. */
async function unitTests(): Promise<Count> {
  const first = await runUnitTests([])
  const files = filesToRepeat(first.report)
  const last = files.length === 0 ? first : await runUnitTests(files)
  failures.push(...failedUnitTests(first.report, last.report), ...first.unhandled)
  return counted(last.ok && first.unhandled.length === 0, countUnitTests(first.report, last.report))
}

async function runUnitTests(files: readonly string[]) {
  const report = join(reports, files.length === 0 ? 'unit.json' : 'unit-repeated.json')
  const unhandled = join(reports, 'unhandled.json')
  const ok = await run(
    'vitest',
    [
      'run',
      ...files,
      '--allowOnly=false',
      `--tagsFilter=${slow ? 'slow' : '!slow'}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--reporter=./.ci/unhandled-errors.ts',
    ],
    { [unhandledErrorsFile]: unhandled },
  )
  return { ok, report: readReport(report), unhandled: z.array(z.string()).parse(readReport(unhandled)) }
}

async function browserTests(): Promise<Count> {
  const report = join(reports, 'browser.json')
  const ok = await run(
    'playwright',
    [
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--forbid-only',
      slow ? '--grep=@slow' : '--grep-invert=@slow',
      // A busy machine can miss a time limit once; the report names each test that passed only when repeated.
      '--retries=1',
      '--reporter=list,json',
    ],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      SPOOL_TEST_BROWSER: installBrowser(),
    },
  )
  failures.push(...failedBrowserTests(readReport(report)))
  return counted(ok, countBrowserTests(readReport(report)))
}

/** Kills and freezes the service's processes for 20 seconds, always in the same order. */
async function chaos(): Promise<Count> {
  const report = join(reports, 'chaos.json')
  const ended = await check('node', 'e2e/chaos.ts', '--seconds=20', '--seed=4280', `--report=${report}`)
  return counted(ended.failed === 0, Count.parse(readReport(report)))
}

function readReport(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Counts a runner that failed without a failed test (because it crashed, for example) as one failure. */
function counted(ok: boolean, count: Count): Count {
  return ok || count.failed > 0 ? count : { ...count, failed: 1 }
}

/**
 * Checks one after another, with the processor time that installations and tests leave. The type checker needs the routes that
 * the dashboard's build writes.
 */
async function staticChecks(): Promise<Count> {
  const counts: Count[] = []
  for (const command of [
    ['oxlint', '--type-aware'],
    // Each of several checkers would check the types that they share.
    ['tsc', '--checkers', '1'],
    ['knip'],
    ['oxfmt', '--check', '.'],
    ['node', '.ci/layers.ts'],
    ['node', '.ci/paths.ts'],
  ])
    counts.push(await check('nice', '-n', '19', ...command))
  return sum(counts)
}

function unfinished(error: unknown): Count {
  console.error(error)
  return { passed: 0, failed: 1 }
}

function buildDashboard(): Promise<Count> {
  return check('node', '.ci/build-dashboard.ts')
}

function sum(counts: readonly Count[]): Count {
  return counts.reduce((total, { passed, failed }) => ({
    passed: total.passed + passed,
    failed: total.failed + failed,
  }))
}

/** Starts a step; resolves to its count even if it cannot be completed. */
function perform(step: () => Promise<Count>): Promise<Count> {
  return step().catch(unfinished)
}

const dashboard = perform(buildDashboard)
const installations = slow
  ? []
  : ['.ci/install-browser.ts', '.ci/install-servers.ts'].map((file) => perform(() => check('node', file)))
// Neither needs what is installed, and installing leaves processor time.
const beside = slow ? [] : [chaos, staticChecks].map((step) => dashboard.then(() => perform(step)))
const prepared = await Promise.all([dashboard, ...installations])
const tests = [await perform(unitTests), await perform(browserTests)]
const total = sum([...prepared, ...tests, ...(await Promise.all(beside))])
rmSync(reports, { recursive: true })
if (failures.length > 0) console.log(`\nFailed, at least once:\n${failures.join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
