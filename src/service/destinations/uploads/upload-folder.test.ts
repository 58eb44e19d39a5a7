import { mkdir, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assertSpace, removeUploads, uploadFolder } from './upload-folder.ts'

const newConfig = async () => ({ dataDirectory: await mkdtemp(join(tmpdir(), 'spool-uploads-')) })

test('only the user of the service can read files that wait to be sent', async () => {
  const folder = await uploadFolder(await newConfig())
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('a file that does not fit on the disk is refused in words, before it is written', async () => {
  const folder = await uploadFolder(await newConfig())
  await assertSpace(folder, 0)
  await expect(assertSpace(folder, 1e18)).rejects.toThrow(
    /has only [\d,]+ MB free, and a file of 953,674,316,407 MB has to be kept there for a while: free some space/,
  )
})

test('files of earlier processes are removed at the start, but not those of a process that may still run', async () => {
  const config = await newConfig()
  await removeUploads(config, true)
  const folder = await uploadFolder(config)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'old'), '')
  await writeFile(join(folder, 'new'), '')
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  await utimes(join(folder, 'old'), twoDaysAgo, twoDaysAgo)
  await removeUploads(config, false)
  expect(await readdir(folder)).toEqual(['new'])
  await removeUploads(config, true)
  expect(await readdir(folder)).toEqual([])
})
