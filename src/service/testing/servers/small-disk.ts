import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts an empty disk of this size, which may take a privilege. @throws Error if it cannot be mounted */
export async function mountSmallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'spool-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (cause) {
    await rm(folder, { recursive: true })
    throw new Error('this user may not mount a disk', { cause })
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Fills the disk, except for this many bytes. */
    async fill(left: number) {
      await rm(filler, { force: true })
      const { bavail, bsize } = await statfs(folder)
      await writeFile(filler, Buffer.alloc(bavail * bsize - left))
    },
    free: () => rm(filler),
    async unmount() {
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}
