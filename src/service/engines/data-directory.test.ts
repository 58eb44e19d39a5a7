import { chmod, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDataDirectory } from './data-directory.ts'
import { StartupError } from '../startup-error.ts'
import { testProcess, type TestProcess } from '../testing/servers/test-process.ts'

let folder: string
const processes: TestProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(inject('testFolder'), 'directory-'))
})
afterEach(async () => {
  for (const process of processes.splice(0)) await process.kill()
})

describe('a data directory', () => {
  test('is created with its parents, accessible to its owner only', async () => {
    const path = join(folder, 'a', 'b')
    await (await openDataDirectory(path)).release()
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o077).toBe(0)
  })

  test('in use by another process is rejected with its pid', async () => {
    const other = await holder(folder)
    expect(await other.line()).toBe('open')
    await expect(openDataDirectory(folder)).rejects.toThrow(
      new StartupError(`The data directory ${folder} is in use by another process (pid ${other.pid}).`),
    )
  })

  test('can be opened after its process was killed', async () => {
    const other = await holder(folder)
    await other.line()
    await other.kill()
    await (await openDataDirectory(folder)).release()
  })

  test('can be opened when another process has the pid of a killed one', async () => {
    await writeFile(join(folder, 'lock.7'), `${process.pid} 1`)
    await (await openDataDirectory(folder)).release()
    expect((await readdir(folder)).filter((name) => name.startsWith('lock.'))).toEqual(['lock.8'])
  })

  test('can be opened and released twenty times', async () => {
    for (let round = 0; round < 20; round++) await (await openDataDirectory(folder)).release()
    expect(await readdir(folder)).toHaveLength(1)
  })

  test('left by a killed process is opened by exactly one of many concurrent calls', async () => {
    await writeFile(join(folder, 'lock.1'), '999999999 1')
    for (let round = 0; round < 20; round++) {
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDirectory(folder)))
      const opened = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect(opened).toHaveLength(1)
      await opened[0]?.release()
    }
  })

  test('left by a killed process is opened by exactly one of several processes', async () => {
    await writeFile(join(folder, 'lock.1'), '999999999 1')
    const lines = await Promise.allSettled(
      Array.from({ length: 4 }, async () => await (await holder(folder)).line()),
    )
    expect(lines.filter((line) => line.status === 'fulfilled')).toHaveLength(1)
  })

  test('can be opened many times when it is shared', async () => {
    const open = () => openDataDirectory(folder, { shared: true })
    for (const directory of await Promise.all([open(), open()])) await directory.release()
  })

  test('that is not writable is rejected with a one-sentence error', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o555)
    const daemon = 1
    const other = testProcess(
      import.meta.url,
      program(closed),
      process.getuid?.() === 0 ? { uid: daemon } : {},
    )
    await expect(other.line()).rejects.toThrow(
      /StartupError: The data directory .*\/closed \(SPOOL_DATA_DIR\) cannot be written: EACCES[^\n]*\.\n/,
    )
  })

  test('that is a file is rejected with a one-sentence error', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(openDataDirectory(join(folder, 'file', 'below'))).rejects.toThrow(
      /^The data directory .* \(SPOOL_DATA_DIR\) cannot be written: ENOTDIR[^\n]*\.$/,
    )
  })
})

async function holder(path: string): Promise<TestProcess> {
  const process = testProcess(import.meta.url, program(path))
  processes.push(process)
  return process
}

const program = (path: string) => `
  import { openDataDirectory } from './data-directory.ts'
  await openDataDirectory(${JSON.stringify(path)})
  console.log('open')
  setInterval(() => undefined, 1000)
`
