import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Count, countBrowserTests, countUnitTests, failedBrowserTests, failedUnitTests } from './count.ts'
import { installBrowser } from './install-browser.ts'
import { cleanUpAtEnd } from './clean-up-at-end.ts'

cleanUpAtEnd()
const root = resolve(import.meta.dirname, '..')
/** Whether to run only the slow tests, which `npm test` leaves out. */
const slow = process.argv.includes('--slow')
// All processes share what Node has compiled, also those that tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/node')
const reports = mkdtempSync(join(tmpdir(), 'spool-test-'))
/** A line for each test that failed, or that passed only when it was repeated. */
const failures: string[] = []

/** Runs an installed command-line tool with inherited output; resolves to whether it exited with 0. */
function run(name: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n— ${name} ${args.join(' ')}`)
  return succeeded(start(name, args, 'inherit', env))
}

function start(name: string, args: string[], output: 'inherit' | 'pipe', env: Record<string, string> = {}) {
  return spawn(join(root, 'node_modules/.bin', name), args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
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

async function unitTests(): Promise<Count> {
  const report = join(reports, 'unit.json')
  const ok = await run('vitest', [
    'run',
    '--allowOnly=false',
    `--tagsFilter=${slow ? 'slow' : '!slow'}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // As for browser tests below; a counterexample to a property fails at once, because repeating it draws other values.
    '--retry.count=1',
    '--retry.condition=^(?!Property failed)',
  ])
  failures.push(...failedUnitTests(readReport(report)))
  return counted(ok, countUnitTests(readReport(report)))
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
 * Checks side by side: those that need no service, the chaos run, which mostly waits, and the installation of the browser. The
 * build also writes the routes that the type checker reads.
 */
async function checks(): Promise<Count> {
  const built = await buildDashboard()
  return sum([
    built,
    ...(await Promise.all([
      chaos().catch(unfinished),
      check('oxfmt', '--check', '.'),
      check('oxlint', '--type-aware'),
      check('tsc'),
      check('knip'),
      check('node', '.ci/layers.ts'),
      check('node', '.ci/paths.ts'),
      check('node', '.ci/install-browser.ts'),
      check('node', '.ci/install-servers.ts'),
    ])),
  ])
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

const steps = slow ? [buildDashboard, unitTests, browserTests] : [checks, unitTests, browserTests]

const counts: Count[] = []
for (const step of steps) counts.push(await step().catch(unfinished))
const total = sum(counts)
rmSync(reports, { recursive: true })
if (failures.length > 0) console.log(`\nFailed, at least once:\n${failures.join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
