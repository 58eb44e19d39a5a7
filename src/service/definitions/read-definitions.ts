import { LineCounter, parseDocument, type Document } from 'yaml'
import { z } from 'zod'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { DestinationType } from '../../contract/destinations/destination.ts'

/** Characters of a file, and of what it stands for once its aliases are replaced. */
const lengthMax = 1_000_000
/** Aliases in a file. */
const aliasesMax = 10_000

/** Something is wrong with the file or its variables; the message has one line per problem. */
export class DefinitionsError extends Error {}

export type Definitions = {
  projectId: number | null
  /** The definitions with their secrets, which the service validates. */
  exports: unknown[]
  /** Describes a problem at a path, such as `['exports', 0, 'interval']`, with its line and the export's name. */
  describe(path: readonly (string | number)[], message: string): string
}

const File = z.strictObject({ project: z.int().positive().optional(), exports: z.array(z.unknown()) })
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
/** The config is the object of the file, not a copy. */
const WithSecrets = z.object({
  destination: z.object({ type: DestinationType, config: z.custom<Record<string, unknown>>(isRecord) }),
})

/**
 * Reads definitions of batch exports, and replaces `${NAME}` in secrets by the variables of the environment.
 * @throws DefinitionsError with every problem found
 */
export function readDefinitions(
  text: string,
  fileName: string,
  environment: Readonly<Record<string, string | undefined>>,
): Definitions {
  const lines = new LineCounter()
  if (text.length > lengthMax)
    throw new DefinitionsError(`${fileName} has more than ${lengthMax} characters.`)
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false })
  const [error] = document.errors
  if (error) throw new DefinitionsError(`${fileName}:${lines.linePos(error.pos[0]).line}: ${error.message}`)
  const content = contentOf(document, fileName)
  const describe: Definitions['describe'] = (path, message) => {
    const line = lines.linePos(offsetOf(document, path)).line
    return `${fileName}:${line}: ${[nameAt(content, path), pathText(path), message].filter(Boolean).join(': ')}`
  }
  const file = File.safeParse(content)
  if (!file.success)
    throw new DefinitionsError(
      file.error.issues.map(({ path, message }) => describe(path.map(pathPart), message)).join('\n'),
    )
  const problems: string[] = []
  for (const [index, definition] of file.data.exports.entries()) {
    const destination = WithSecrets.safeParse(definition).data?.destination
    if (!destination) continue
    const path = ['exports', index, 'destination', 'config']
    for (const field of destinationKinds[destination.type].secrets) {
      const value = destination.config[field]
      const fill = (config: Record<string, unknown>, name: string, at: readonly (string | number)[]) => {
        const found = fillSecret(config, name, environment)
        if (found !== null) problems.push(describe([...at, name], found))
      }
      // Values by name, such as headers.
      if (isRecord(value)) for (const name of Object.keys(value)) fill(value, name, [...path, field])
      else fill(destination.config, field, path)
    }
  }
  if (problems.length > 0) throw new DefinitionsError(problems.join('\n'))
  return { projectId: file.data.project ?? null, exports: file.data.exports, describe }
}

/** Replaces a secret's `${NAME}` by the variable; returns what is wrong, or null. */
function fillSecret(
  config: Record<string, unknown>,
  field: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const value = config[field]
  if (typeof value !== 'string') return null
  const [, name] = /^\$\{([A-Za-z_]\w*)\}$/.exec(value) ?? []
  if (name === undefined) return 'A secret does not belong in the file: write ${NAME}, and set that variable.'
  const secret = environment[name]
  if (!secret) return `Set the environment variable ${name}.`
  config[field] = secret
  return null
}

/** Returns the file's content, in which each export is an object of its own. */
function contentOf(document: Document.Parsed, fileName: string): unknown {
  try {
    const content: unknown = document.toJS({ maxAliasCount: aliasesMax })
    assertLength(content, fileName)
    return withoutAliases(content)
  } catch (error) {
    if (error instanceof DefinitionsError) throw error
    throw new DefinitionsError(`${fileName}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** Replaces aliases, which are references to the same object, by copies. */
function withoutAliases(content: unknown): unknown {
  return content === undefined ? null : JSON.parse(JSON.stringify(content))
}

/** A small file can stand for a huge one through aliases of aliases, or contain itself. */
function assertLength(content: unknown, fileName: string): void {
  let length = 0
  const queue = [content]
  for (let value = queue.pop(); value !== undefined || queue.length > 0; value = queue.pop()) {
    length += typeof value === 'string' ? value.length : 1
    if (length > lengthMax)
      throw new DefinitionsError(
        `${fileName} has more than ${lengthMax} characters once its aliases are replaced.`,
      )
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) queue.push(key, item)
  }
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = z
      .object({ range: z.tuple([z.number()]).rest(z.unknown()) })
      .safeParse(document.getIn(path.slice(0, length), true)).data
    if (node) return node.range[0]
  }
  return 0
}

const Named = z.object({ exports: z.array(z.unknown()) })

function nameAt(content: unknown, [first, index]: readonly (string | number)[]): string {
  if (first !== 'exports' || typeof index !== 'number') return ''
  const definition = Named.safeParse(content).data?.exports[index]
  const name = z.object({ name: z.string() }).safeParse(definition).data?.name
  return name === undefined ? `export ${index + 1}` : JSON.stringify(name)
}

/** Returns a path within its export: `destination.config.prefix`. */
function pathText(path: readonly (string | number)[]): string {
  return (path[0] === 'exports' && path.length > 1 ? path.slice(2) : path).join('.')
}

function pathPart(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key)
}
