import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { coresLimit } from './machine.ts'

test.each<[string, string, Record<string, string>, number]>([
  ['no control group', '', {}, Infinity],
  ['a container without a limit', '0::/', { 'cpu.max': 'max 100000' }, Infinity],
  ['a container with a limit', '0::/', { 'cpu.max': '150000 100000' }, 1.5],
  ['a group', '0::/a/b', { 'a/b/cpu.max': '400000 100000' }, 4],
  ['a group in a smaller one', '0::/a/b', { 'a/b/cpu.max': '400000 100000', 'a/cpu.max': '50000 25000' }, 2],
  [
    'a container of version 1, whose group has the name that it has on the host',
    '3:cpuset:/docker/f00\n2:cpu,cpuacct:/docker/f00',
    { 'cpu,cpuacct/cpu.cfs_quota_us': '300000', 'cpu,cpuacct/cpu.cfs_period_us': '100000' },
    3,
  ],
  [
    'a group of version 1 without a limit',
    '1:cpu:/a',
    { 'cpu/a/cpu.cfs_quota_us': '-1', 'cpu/a/cpu.cfs_period_us': '100000' },
    Infinity,
  ],
])('reads the CPU limit of %s', async (_, group, limits, cores) => {
  const root = await mkdtemp(join(tmpdir(), 'spool-machine-'))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `${text}\n`)
  }
  try {
    await write('proc/self/cgroup', group)
    for (const [path, text] of Object.entries(limits)) await write(`sys/fs/cgroup/${path}`, text)
    expect(coresLimit(root)).toBe(cores)
  } finally {
    await rm(root, { recursive: true })
  }
})
