import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../engines/lower-priority.ts'
import { ReferenceFinder, type Bases } from './reference-finder.ts'

/** Lines of a block, or a style sheet that is a file at `base`. */
export type WorkerInput = { lines: Uint8Array; bases: Bases } | { css: Uint8Array; base: string }
export type FoundReferences = { found: [url: string, isStylesheet: boolean][]; bases: Bases }

lowerPriority()

parentPort?.on('message', (input: WorkerInput) => {
  const finder = new ReferenceFinder('bases' in input ? input.bases : {})
  if ('css' in input) finder.addCss(textOf(input.css), input.base)
  else for (const line of textOf(input.lines).split('\n')) finder.add(line)
  parentPort?.postMessage({ found: [...finder.found], bases: finder.bases } satisfies FoundReferences, [])
})

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
