import { parentPort } from 'node:worker_threads'
import createHogQLParser, { type HogQLParser } from '@posthog/hogql-parser'

/** The thread's reply: the parser's JSON, or null when the parser failed. */
export type ParserReply = string | null

/** An option of Emscripten that the package's types lack. */
type Options = {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): void
}

const createParser: (options?: Options) => Promise<HogQLParser> = createHogQLParser
/**
 * The compiled parser. The package compiles its WebAssembly for each parser, which takes longer than a short query, so
 * `WebAssembly.instantiate` is wrapped in this thread to keep what it compiled.
 */
let compiled: WebAssembly.Module | undefined
const { instantiate } = WebAssembly
Object.assign(WebAssembly, {
  async instantiate(bytes: BufferSource, imports: WebAssembly.Imports) {
    const source = await instantiate(bytes, imports)
    compiled = source.module
    return source
  },
})

parentPort?.on('message', async (query: string) => {
  parentPort?.postMessage(await parse(query), [])
})

// Uses a new parser for each query: after an overflow a parser returns garbage, and after a series of ever deeper
// queries its time doubles with each level.
async function parse(query: string): Promise<ParserReply> {
  try {
    const module = compiled
    const parser = await createParser(
      module && { instantiateWasm: (imports, receive) => receive(new WebAssembly.Instance(module, imports)) },
    )
    return parser.parseSelect(query)
  } catch {
    return null
  }
}
