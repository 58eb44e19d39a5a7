import { parentPort } from 'node:worker_threads'
import { ReferenceFinder, type Bases } from '../assets/reference-finder.ts'
import { cutEvents, type CutInput } from './cut-events.ts'

/** With `bases`, the worker returns the files that the lines name instead of the lines; see `ReferenceFinder`. */
export type CutRequest = CutInput & { bases: Bases | null }
export type CutResult = { lines: string } | { urls: string[]; bases: Bases }

parentPort?.on('message', ({ bases, ...input }: CutRequest) => {
  const lines = cutEvents(input)
  parentPort?.postMessage(bases ? filesIn(lines, bases) : { lines: lines.join('\n') }, [])
})

function filesIn(lines: readonly string[], bases: Bases): CutResult {
  const finder = new ReferenceFinder(bases)
  for (const line of lines) finder.add(line)
  return { urls: [...finder.found.keys()], bases: finder.bases }
}
