import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ReferenceFinder } from './reference-finder.ts'

export type WorkerInput = { lines: Uint8Array; bases: Record<string, string> }
export type FoundReferences = { found: [url: string, isStylesheet: boolean][]; bases: Record<string, string> }

// On Linux, this concerns only the thread: requests come first.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

parentPort?.on('message', ({ lines, bases }: WorkerInput) => {
  const finder = new ReferenceFinder(bases)
  for (const line of Buffer.from(lines).toString('utf8').split('\n')) finder.add(line)
  const output: FoundReferences = { found: [...finder.found], bases: Object.fromEntries(finder.bases) }
  parentPort?.postMessage(output, [])
})
