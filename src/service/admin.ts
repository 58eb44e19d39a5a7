import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PlainText } from '../contract/plain-text.ts'
import { scopes as allScopes, GrantedScope } from '../contract/scopes.ts'
import { hashApiKey, newApiKey, newProjectToken } from './auth/api-key-value.ts'
import { bootstrap } from './auth/bootstrap.ts'
import { createOrganization } from './auth/new-organization.ts'
import { signInUrl, storedOrigin } from './auth/sign-in.ts'
import { isUuid } from './auth/uuid.ts'
import { systemClock } from './clock.ts'
import { readConfig, type Config } from './config.ts'
import { openSecretBox } from './engines/secret-box.ts'
import { checkReceipt, receiptKey } from './exporter/receipt.ts'
import { originOf } from './server/listen.ts'
import { insertApiKey } from './store/api-keys.ts'
import { withAdminStore } from './store/admin-store.ts'
import type { Store } from './store/database.ts'
import { newId } from './store/identifier.ts'
import { findOrganization } from './store/organizations.ts'
import { findProject, insertProject, listProjects } from './store/projects.ts'
import { firstUser } from './store/users.ts'

const usage = `Usage: npm run --silent admin -- COMMAND [--json]

  organization create --name NAME [--project NAME]
      Creates an organization with its first project and a key with all scopes.
  project create --organization ID --name NAME
      Creates a project.
  key create --organization ID --label LABEL --scopes SCOPE,SCOPE [--projects ID,ID]
      Creates a key. Scopes: * (all), ${allScopes.join(', ')}.
  sign-in-link
      Prints a URL that signs in a browser with all scopes.
  events import FILE --project ID
      Imports events from a Parquet or JSONLines file, compressed or not, with the columns of an export.
  receipt verify FILE [--public-key FILE]
      Checks the signature of a ledger's receipt, by default with the key of this installation.

Works whether or not the service is running. Reads the same environment variables as the service to find the installation.`

const optionNames = ['name', 'project', 'organization', 'label', 'scopes', 'projects', 'public-key'] as const
type OptionName = (typeof optionNames)[number]
type Options = Partial<Record<OptionName, string>>
type Result = Record<string, string | number>
type Command = {
  options: readonly OptionName[]
  operands: number
  run(config: Config, options: Options, operand: string): Promise<Result>
  /** Output without --json; by default a table. */
  text?(result: Result): string
}

const commands: Record<string, Command> = {
  'organization create': { options: ['name', 'project'], operands: 0, run: addOrganization },
  'project create': { options: ['organization', 'name'], operands: 0, run: addProject },
  'key create': { options: ['organization', 'label', 'scopes', 'projects'], operands: 0, run: addKey },
  'sign-in-link': { options: [], operands: 0, run: signInLink, text: ({ url }) => String(url) },
  'events import': { options: ['project'], operands: 1, run: importFile },
  'receipt verify': { options: ['public-key'], operands: 1, run: verifyReceipt },
}

/** An error in the command line itself; exit code 2. */
class UsageError extends Error {}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const { command, values, operand } = readCommand(args)
    if (values.help || !command) {
      console.log(usage)
      return values.help ? 0 : 2
    }
    const { json, help: _help, ...options } = values
    const result = await command.run(readConfig(process.env), options, operand)
    console.log(json ? JSON.stringify(result) : (command.text?.(result) ?? asTable(result)))
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError ? 2 : 1
  }
}

function readCommand(args: string[]) {
  const { values, positionals } = parse(args)
  if (values.help || positionals.length === 0) return { values, operand: '' }
  const length = Object.hasOwn(commands, positionals[0] ?? '') ? 1 : 2
  const [name, operands] = [positionals.slice(0, length).join(' '), positionals.slice(length)]
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`Unknown command "${name}": see --help.`)
  if (operands.length !== command.operands)
    throw new UsageError(
      `"${name}" ${command.operands === 0 ? 'accepts only options' : 'requires one file'}: see --help.`,
    )
  const unknown = optionNames.find((option) => option in values && !command.options.includes(option))
  if (unknown) throw new UsageError(`"${name}" has no option --${unknown}: see --help.`)
  return { command, values, operand: operands[0] ?? '' }
}

function parse(args: string[]) {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  const texts = {
    name: text,
    project: text,
    organization: text,
    label: text,
    scopes: text,
    projects: text,
    'public-key': text,
  }
  try {
    return parseArgs({ args, allowPositionals: true, options: { json: flag, help: flag, ...texts } })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? `${cause.message.split('\n')[0]}` : String(cause), {
      cause,
    })
  }
}

function asTable(result: Result): string {
  const width = Math.max(...Object.keys(result).map((name) => name.length))
  return Object.entries(result)
    .map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${value}`)
    .join('\n')
}

function addOrganization(config: Config, options: Options): Promise<Result> {
  const name = required(options, 'name')
  const names = {
    name,
    projectName: plainText('project', options.project ?? 'My project'),
    keyLabel: 'First key',
  }
  return withAdminStore(config, (store) =>
    store.transaction().execute((transaction) => createOrganization(transaction, Date.now(), names)),
  )
}

function addProject(config: Config, options: Options): Promise<Result> {
  const name = required(options, 'name')
  return withAdminStore(config, async (store) => {
    const organizationId = await existingOrganization(store, options)
    const project = await insertProject(store, {
      organization_id: organizationId,
      name,
      api_token: newProjectToken(),
      created_at: new Date(),
    })
    return { project_id: project.id, project_token: project.api_token }
  })
}

function addKey(config: Config, options: Options): Promise<Result> {
  const label = required(options, 'label')
  const scopes = readScopes(required(options, 'scopes'))
  return withAdminStore(config, async (store) => {
    const organizationId = await existingOrganization(store, options)
    const projects = options.projects === undefined ? null : splitList(options.projects).map(readProjectId)
    const known = (await listProjects(store, organizationId)).map((project) => project.id)
    const unknown = projects?.find((id) => !known.includes(id))
    if (unknown !== undefined) throw new Error(`The organization has no project ${unknown}.`)
    const user = await firstUser(store, organizationId)
    if (!user) throw new Error('The organization has no user to own the key.')
    const value = newApiKey()
    const now = Date.now()
    await insertApiKey(store, {
      id: newId(now),
      user_id: user.id,
      hash: hashApiKey(value),
      label,
      scopes,
      scoped_projects: projects,
      scoped_organizations: null,
      created_at: new Date(now),
      last_used_at: null,
    })
    return { api_key: value }
  })
}

function signInLink(config: Config): Promise<Result> {
  return withAdminStore(config, async (store) => {
    const secrets = await secretsOf(config)
    const { apiKey } = await bootstrap({ store, config, secrets, clock: systemClock })
    const origin = (await storedOrigin(store)) ?? originOf(config, config.port)
    return { url: signInUrl(origin, apiKey) }
  })
}

async function importFile(config: Config, options: Options, operand: string): Promise<Result> {
  const projectId = readProjectId(required(options, 'project'))
  const file = givenPath(operand)
  await withAdminStore(config, async (store) => {
    if (!(await findProject(store, projectId))) throw new Error(`There is no project ${projectId}.`)
  })
  const { importEventsFile } = await import('./capture/import/import-file.ts')
  return importEventsFile(config, { projectId, file })
}

async function verifyReceipt(config: Config, options: Options, operand: string): Promise<Result> {
  const text = await readFile(givenPath(operand), 'utf8')
  const keyFile = options['public-key']
  const key = keyFile ? await readFile(givenPath(keyFile), 'utf8') : receiptKey(await secretsOf(config))
  const { totals, ...receipt } = checkReceipt(text, key)
  return {
    valid: 'yes',
    export: receipt.export.name,
    destination: receipt.export.destination,
    period: `${receipt.start} to ${receipt.end}`,
    issued_at: receipt.issued_at,
    windows: totals.windows,
    proven: totals.states['proven'] ?? 0,
  }
}

function secretsOf(config: Config) {
  return openSecretBox(config, { path: config.dataDirectory, release: async () => undefined })
}

/** npm runs scripts in the package's folder; INIT_CWD is the folder in which npm was called. */
function givenPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path)
}

function required(options: Options, name: OptionName): string {
  const value = options[name]?.trim()
  if (!value) throw new UsageError(`--${name} is missing: see --help.`)
  return plainText(name, value)
}

function plainText(name: OptionName, value: string): string {
  const { error } = PlainText.safeParse(value)
  if (error) throw new UsageError(`--${name}: ${error.issues[0]?.message}`)
  return value
}

async function existingOrganization(store: Store, options: Options): Promise<string> {
  const id = required(options, 'organization')
  const organization = isUuid(id) ? await findOrganization(store, id) : undefined
  if (!organization) throw new Error(`There is no organization ${id}.`)
  return organization.id
}

function readScopes(text: string): GrantedScope[] {
  const scopes = splitList(text)
  const unknown = scopes.find((scope) => !GrantedScope.safeParse(scope).success)
  if (unknown !== undefined || scopes.length === 0)
    throw new UsageError(`Unknown scope "${unknown ?? text}". Scopes: *, ${allScopes.join(', ')}.`)
  return [...new Set(scopes.map((scope) => GrantedScope.parse(scope)))]
}

function readProjectId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id >= 2 ** 31) throw new UsageError(`"${text}" is not a project id.`)
  return id
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
