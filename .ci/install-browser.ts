import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { scriptOf, unpackProgram } from './debian-package.ts'

/** Debian's packages with a Chromium, by preference: without windows, it needs a third less processor time. */
const packages = ['chromium-headless-shell', 'chromium']
const installed = [...packages, 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/**
 * Returns the path of a Chromium: an installed one, else one of Debian's packages, which is installed (as root) or unpacked
 * into node_modules/.cache.
 */
export function installBrowser(): string {
  const named = process.env['SPOOL_TEST_BROWSER']
  if (named) return named
  const found = [...installed, scriptOf('chromium')].find((path) => existsSync(path))
  if (found) return found
  if (!canRunAsRoot())
    return firstOf((name) => unpackProgram('chromium', { name, path: `usr/lib/chromium/${name}` }))
  asRoot('apt-get', 'update', '-qq')
  return firstOf((name) => {
    asRoot('apt-get', 'install', '-y', '-qq', '--no-install-recommends', name)
    return `/usr/bin/${name}`
  })
}

/** Returns what the first package yields that can be installed. */
function firstOf(install: (name: string) => string): string {
  const [preferred = '', other = ''] = packages
  try {
    return install(preferred)
  } catch {
    return install(other)
  }
}

const root = process.getuid?.() === 0

function canRunAsRoot(): boolean {
  if (root) return true
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function asRoot(...command: string[]): void {
  const [program = '', ...rest] = root ? command : ['sudo', '-n', ...command]
  execFileSync(program, rest, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

if (import.meta.main) installBrowser()
