import { constants, setPriority } from 'node:os'

/** Lets requests go before the work of the thread that calls this. On other systems, it would apply to the whole process. */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
}
