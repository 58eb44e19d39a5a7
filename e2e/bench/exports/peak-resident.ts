import { readFile, writeFile } from 'node:fs/promises'

/** Resets the kernel's peak of this process's resident memory. */
export async function resetPeakResident(): Promise<void> {
  await writeFile('/proc/self/clear_refs', '5')
}

/** Returns the kernel's peak of this process's resident memory, in MB. */
export async function peakResident(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000
}
