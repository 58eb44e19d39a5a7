import { parentPort } from 'node:worker_threads'
import createHogQLParser from '@posthog/hogql-parser'

/** The thread's reply: the parser's JSON, or null when the parser failed. */
export type ParserReply = string | null

parentPort?.on('message', async (query: string) => {
  parentPort?.postMessage(await parse(query), [])
})

// Uses a new parser for each query: after an overflow a parser returns garbage, and after a series of ever deeper
// queries its time doubles with each level.
async function parse(query: string): Promise<ParserReply> {
  try {
    const parser = await createHogQLParser()
    return parser.parseSelect(query)
  } catch {
    return null
  }
}
