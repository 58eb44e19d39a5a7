import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync, chmodSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Debian's packages with a Chromium, by preference: without windows, it needs a third less processor time. */
const packages = ['chromium-headless-shell', 'chromium']
const installed = [...packages, 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
const folder = resolve(import.meta.dirname, '../node_modules/.cache/chromium')
const unpacked = join(folder, 'chromium.sh')

/**
 * Returns the path of a Chromium: an installed one, else one of Debian's packages, which is installed (as root) or unpacked
 * into node_modules/.cache.
 */
export function installBrowser(): string {
  const named = process.env['SPOOL_TEST_BROWSER']
  if (named) return named
  const found = [...installed, unpacked].find((path) => existsSync(path))
  if (found) return found
  if (!canRunAsRoot()) return firstOf(unpackBrowser)
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

/** Downloads a package with its dependencies and unpacks it into a folder, which needs no root. */
function unpackBrowser(name: string): string {
  const apt = join(folder, 'apt')
  const files = join(folder, 'root')
  for (const path of [join(apt, 'lists/partial'), join(apt, 'archives/partial'), files])
    mkdirSync(path, { recursive: true })
  const options = [
    '-o',
    `Dir::State::lists=${join(apt, 'lists')}`,
    '-o',
    `Dir::Cache=${apt}`,
    '-o',
    'Debug::NoLocking=1',
    '-o',
    'APT::Sandbox::User=',
  ]
  const run = (program: string, args: string[]): void => {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder })
  }
  run('apt-get', [...options, 'update', '-qq'])
  run('apt-get', [...options, 'install', '-y', '-qq', '--no-install-recommends', '--download-only', name])
  const archives = join(apt, 'archives')
  for (const archive of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    run('dpkg', ['-x', join(archives, archive), files])
  const libraries = [
    'usr/lib/x86_64-linux-gnu',
    'usr/lib/aarch64-linux-gnu',
    'lib/x86_64-linux-gnu',
    'usr/lib',
  ]
  const path = libraries.map((library) => join(files, library)).join(':')
  const program = join(files, 'usr/lib/chromium', name)
  writeFileSync(unpacked, `#!/bin/sh\nLD_LIBRARY_PATH="${path}" exec "${program}" "$@"\n`)
  chmodSync(unpacked, 0o755)
  return unpacked
}

if (import.meta.main) installBrowser()
