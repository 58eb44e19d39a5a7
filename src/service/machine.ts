import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'

/** Returns the cores that this process may use: the machine's, or fewer by its affinity or the limit of its container. */
export function cores(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(coresLimit('/'))))
}

/** Returns the memory (bytes) that this process may use: the machine's, or the limit of its container. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

/**
 * Returns the smallest CPU limit (cores) of this process's control groups, or Infinity. Node reads only the innermost
 * group, and no limit in a container whose host has version 1 of control groups.
 * @param root where the folders `proc` and `sys` are
 */
export function coresLimit(root: string): number {
  const read = (...path: string[]) => {
    try {
      return readFileSync(join(root, ...path), 'utf8').trim()
    } catch {
      return ''
    }
  }
  const limits = read('proc/self/cgroup')
    .split('\n')
    .flatMap((line) => {
      const [, controllers = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      if (controllers === '')
        return groupsAbove(group).map((each) => read('sys/fs/cgroup', each, 'cpu.max').split(' '))
      if (!controllers.split(',').includes('cpu')) return []
      return groupsAbove(group).map((each) =>
        ['quota', 'period'].map((name) => read('sys/fs/cgroup', controllers, each, `cpu.cfs_${name}_us`)),
      )
    })
    .map(([quota, period]) => Number(quota) / Number(period))
  return Math.min(...limits.filter((limit) => limit > 0))
}

/** Returns a group and those that contain it. In a container, the names may be the host's, but the outermost folder is its own. */
function groupsAbove(group: string): string[] {
  const names = group.split('/').filter(Boolean)
  return Array.from({ length: names.length + 1 }, (_, depth) => names.slice(0, depth).join('/'))
}
