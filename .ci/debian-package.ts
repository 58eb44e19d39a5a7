import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const cache = resolve(import.meta.dirname, '../node_modules/.cache')
const libraries = ['usr/lib/x86_64-linux-gnu', 'usr/lib/aarch64-linux-gnu', 'lib/x86_64-linux-gnu', 'usr/lib']

/** A program of one of Debian's packages; `path` is its path in the package. */
export type DebianProgram = { name: string; path: string }

/** Returns the path of the script by which a program that has been unpacked is run. */
export function scriptOf(folder: string): string {
  return join(cache, folder, `${folder}.sh`)
}

/**
 * Downloads a package with its dependencies and unpacks it into this folder of node_modules/.cache, unless it is there. Needs no
 * root, and changes nothing else. Returns the path of a script that runs the program.
 */
export function unpackProgram(folder: string, { name, path }: DebianProgram): string {
  const script = scriptOf(folder)
  if (existsSync(script)) return script
  const at = join(cache, folder)
  const [apt, files] = [join(at, 'apt'), join(at, 'root')]
  for (const made of [join(apt, 'lists/partial'), join(apt, 'archives/partial'), files])
    mkdirSync(made, { recursive: true })
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
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: at })
  }
  run('apt-get', [...options, 'update', '-qq'])
  run('apt-get', [...options, 'install', '-y', '-qq', '--no-install-recommends', '--download-only', name])
  const archives = join(apt, 'archives')
  for (const archive of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    run('dpkg', ['-x', join(archives, archive), files])
  const searched = libraries.map((library) => join(files, library)).join(':')
  writeFileSync(script, `#!/bin/sh\nLD_LIBRARY_PATH="${searched}" exec "${join(files, path)}" "$@"\n`)
  chmodSync(script, 0o755)
  return script
}
