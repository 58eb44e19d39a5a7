import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PlainText } from '../contract/plain-text.ts'
import { scopes as allScopes } from '../contract/accounts/scopes.ts'
import { GrantedScope } from '../contract/accounts/scope-schema.ts'

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const options = {
  json: flag,
  help: flag,
  name: text,
  project: text,
  organization: text,
  label: text,
  email: text,
  role: text,
  scopes: text,
  projects: text,
  'public-key': text,
  file: { ...text, short: 'f' },
  prune: flag,
  'remove-second-factor': flag,
} as const

type OptionName = Exclude<keyof typeof options, 'json' | 'help' | 'prune' | 'remove-second-factor'>
export type Options = Partial<Record<OptionName, string>> & {
  prune?: boolean
  'remove-second-factor'?: boolean
}

/** An error in the command line itself; exit code 2, except of `plan`, which exits with 1. */
export class UsageError extends Error {}

export function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? `${cause.message.split('\n')[0]}` : String(cause), {
      cause,
    })
  }
}

/** Returns the value of an option. @throws UsageError if it is missing. */
export function required(options: Options, name: OptionName): string {
  const value = options[name]?.trim()
  if (!value) throw new UsageError(`--${name} is missing: see --help.`)
  return plainText(name, value)
}

export function plainText(name: OptionName, value: string): string {
  const { error } = PlainText.safeParse(value)
  if (error) throw new UsageError(`--${name}: ${error.issues[0]?.message}`)
  return value
}

export function readScopes(text: string): GrantedScope[] {
  const scopes = splitList(text)
  const unknown = scopes.find((scope) => !GrantedScope.safeParse(scope).success)
  if (unknown !== undefined || scopes.length === 0)
    throw new UsageError(`Unknown scope "${unknown ?? text}". Scopes: *, ${allScopes.join(', ')}.`)
  return [...new Set(scopes.map((scope) => GrantedScope.parse(scope)))]
}

export function readProjectId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id >= 2 ** 31) throw new UsageError(`"${text}" is not a project id.`)
  return id
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** npm runs scripts in the package's folder; INIT_CWD is the folder in which npm was called. */
export function givenPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path)
}
