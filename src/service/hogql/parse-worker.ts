import { parentPort } from 'node:worker_threads'
import createHogQLParser from '@posthog/hogql-parser'

/** What the thread answers: the parser's JSON, or null when the parser broke down. */
export type ParserAnswer = string | null

parentPort?.on('message', async (query: string) => {
  parentPort?.postMessage(await parse(query), [])
})

// A new parser each time: one that overflowed answers nonsense from then on, and one that has seen queries nested ever
// deeper takes twice as long for each further level.
async function parse(query: string): Promise<ParserAnswer> {
  try {
    const parser = await createHogQLParser()
    return parser.parseSelect(query)
  } catch {
    return null
  }
}
