import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { countHashes, objectHashes, type LedgerWindow, type ObjectHash } from '../contract/runs/ledger.ts'
import { roles } from '../contract/accounts/roles.ts'
import { scopes as allScopes } from '../contract/accounts/scopes.ts'
import {
  addKey,
  addOrganization,
  addProject,
  createUser,
  existingOrganization,
  grantRole,
  resetPassword,
  secretsOf,
  signInLink,
  type Result,
} from './admin-accounts.ts'
import { verifyChains } from './audit/verify-chains.ts'
import { givenPath, parseOptions, readProjectId, required, UsageError, type Options } from './command-line.ts'
import { readConfig, type Config } from './config.ts'
import { planText } from './definitions/plan-text.ts'
import { checkReceipt, receiptKey } from './exporter/verify/receipt.ts'
import { withAdminStore } from './store/accounts/admin-store.ts'
import { exportsByName } from './store/runs/batch-exports.ts'
import { findRow } from './store/schema/rows.ts'

const usage = `Usage: npm run --silent admin -- COMMAND [--json]

  organization create --name NAME [--project NAME]
      Creates an organization with its first project and a key with all scopes.
  project create --organization ID --name NAME
      Creates a project.
  key create --organization ID --label LABEL --scopes SCOPE,SCOPE [--projects ID,ID]
      Creates a key. Scopes: * (all), ${allScopes.join(', ')}.
  sign-in-link [--email EMAIL]
      Prints a URL with an API key that has all scopes, or with --email one that signs in this user once, within
      a day, without a code even if they have a second factor.
  user create --organization ID --email EMAIL --name NAME --role ROLE
      Adds a member and prints a URL that signs them in once. Roles: ${roles.join(', ')}.
  user grant --organization ID --email EMAIL --role ROLE
      Changes the role of a member.
  user reset-password --email EMAIL [--remove-second-factor]
      Ends all sessions of a user, removes their password and prints a URL that signs them in once, with a code if they have
      a second factor. --remove-second-factor also removes it, its recovery codes and all passkeys.
  events import FILE --project ID
      Imports events from a Parquet or JSONLines file, compressed or not, with the columns of an export.
  plan -f FILE [--project ID] [--prune]
      Shows what "apply" would change. Exits with 0 without differences, 2 with some, 1 after an error.
  apply -f FILE [--project ID] [--prune]
      Makes the batch exports of a project match the YAML file: all changes or, after an error, none.
      Secrets are \${NAME} in the file and come from the environment. --prune deletes exports that the file does not name.
  as-yaml --project ID
      Prints the batch exports of a project as such a file.
  receipt verify FILE [--public-key FILE]
      Checks the signature of a ledger's receipt, by default with the key of this installation.
  audit verify [--organization ID]
      Checks the audit log of an organization, or of all: exits with 1 and names the first seal that does not match.

Works whether or not the service is running. Reads the same environment variables as the service to find the installation.`

type Run<Output> = (config: Config, options: Options, operand: string) => Promise<Output>
/** What a command prints, with and without --json, and its exit code, by default 0. */
type Printed = { json: object; text: string; code?: number }
type Command = { options: readonly (keyof Options)[]; operands: number; run: Run<Printed> }

const commands: Record<string, Command> = {
  'organization create': { options: ['name', 'project'], operands: 0, run: printed(addOrganization) },
  'project create': { options: ['organization', 'name'], operands: 0, run: printed(addProject) },
  'key create': {
    options: ['organization', 'label', 'scopes', 'projects'],
    operands: 0,
    run: printed(addKey),
  },
  'user create': {
    options: ['organization', 'email', 'name', 'role'],
    operands: 0,
    run: printed(createUser),
  },
  'user grant': { options: ['organization', 'email', 'role'], operands: 0, run: printed(grantRole) },
  'user reset-password': {
    options: ['email', 'remove-second-factor'],
    operands: 0,
    run: printed(resetPassword),
  },
  'sign-in-link': { options: ['email'], operands: 0, run: printed(signInLink, ({ url }) => String(url)) },
  'events import': { options: ['project'], operands: 1, run: printed(importFile) },
  plan: { options: ['file', 'project', 'prune'], operands: 0, run: planFile },
  apply: {
    options: ['file', 'project', 'prune'],
    operands: 0,
    run: (config, options) => runFile(config, options, false),
  },
  'as-yaml': {
    options: ['project'],
    operands: 0,
    run: printed(exportsAsYaml, ({ yaml }) => String(yaml).trimEnd()),
  },
  'audit verify': { options: ['organization'], operands: 0, run: verifyAudit },
  'receipt verify': { options: ['public-key'], operands: 1, run: printed(verifyReceipt) },
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const { command, values, operand } = readCommand(args)
    if (values.help || !command) {
      console.log(usage)
      return values.help ? 0 : 2
    }
    const { json: isJson, help: _help, ...options } = values
    const { json, text, code = 0 } = await command.run(readConfig(process.env), options, operand)
    console.log(isJson ? JSON.stringify(json) : text)
    return code
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    // For "plan", 2 means that there are differences.
    return error instanceof UsageError && args[0] !== 'plan' ? 2 : 1
  }
}

/** Prints a command's result, without --json as a table unless `text` says how. */
function printed(run: Run<Result>, text: (result: Result) => string = asTable): Run<Printed> {
  return async (...given) => {
    const result = await run(...given)
    return { json: result, text: text(result) }
  }
}

function readCommand(args: string[]) {
  const { values, positionals } = parseOptions(args)
  if (values.help || positionals.length === 0) return { values, operand: '' }
  const length = Object.hasOwn(commands, positionals[0] ?? '') ? 1 : 2
  const [name, operands] = [positionals.slice(0, length).join(' '), positionals.slice(length)]
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`Unknown command "${name}": see --help.`)
  if (operands.length !== command.operands)
    throw new UsageError(
      `"${name}" ${command.operands === 0 ? 'accepts only options' : 'requires one file'}: see --help.`,
    )
  const { json: _, ...given } = values
  const unknown = Object.keys(given).find((option) => !command.options.some((known) => known === option))
  if (unknown) throw new UsageError(`"${name}" has no option --${unknown}: see --help.`)
  return { command, values, operand: operands[0] ?? '' }
}

function asTable(result: Result): string {
  const width = Math.max(...Object.keys(result).map((name) => name.length))
  return Object.entries(result)
    .map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${value}`)
    .join('\n')
}

async function importFile(config: Config, options: Options, operand: string): Promise<Result> {
  const projectId = readProjectId(required(options, 'project'))
  const file = givenPath(operand)
  await withAdminStore(config, async (store) => {
    if (!(await findRow(store, 'projects', { id: projectId })))
      throw new Error(`There is no project ${projectId}.`)
  })
  const { importEventsFile } = await import('./capture/import/import-file.ts')
  return importEventsFile(config, { projectId, file })
}

/** Exits with 2 if there are differences, like `terraform plan -detailed-exitcode`. */
async function planFile(config: Config, options: Options): Promise<Printed> {
  const printed = await runFile(config, options, true)
  const isSame = printed.json.changes.every(({ action }) => action === 'unchanged' || action === 'unlisted')
  return { ...printed, code: isSame ? 0 : 2 }
}

async function runFile(config: Config, options: Options, dryRun: boolean) {
  const path = givenPath(required(options, 'file'))
  const projectId = options.project === undefined ? null : readProjectId(options.project)
  const { applyFile } = await import('./definitions/apply-file.ts')
  const json = await applyFile(config, { path, projectId, prune: options.prune ?? false, dryRun })
  return { json, text: planText(json) }
}

async function exportsAsYaml(config: Config, options: Options): Promise<Result> {
  const projectId = readProjectId(required(options, 'project'))
  const { definitionsAsYaml } = await import('./handlers/history/definitions-as-yaml.ts')
  return withAdminStore(config, async (store) => {
    const project = await findRow(store, 'projects', { id: projectId })
    if (!project) throw new Error(`There is no project ${projectId}.`)
    const services = {
      secrets: await secretsOf(config),
      logger: pino({ level: config.logLevel }, pino.destination(2)),
    }
    return { yaml: await definitionsAsYaml(services, project, await exportsByName(store, projectId)) }
  })
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
    objects_by_hash: hashesInWords(receipt.windows),
  }
}

function hashesInWords(windows: readonly LedgerWindow[]): string {
  const counts = countHashes(windows.flatMap(({ entry }) => entry?.objects ?? []))
  const names: Record<ObjectHash, string> = {
    sha256: 'SHA-256',
    sha256_read: 'SHA-256 since the first verification',
    etag: 'ETag of the bucket',
    crc32_sha256_read:
      'SHA-256 since the first verification, before that CRC-32, which does not show a forgery',
    crc32: 'CRC-32, which does not show a forgery',
  }
  return (
    objectHashes.flatMap((hash) => (counts[hash] ? `${counts[hash]} ${names[hash]}` : [])).join(', ') ||
    'none'
  )
}

function verifyAudit(config: Config, options: Options): Promise<Printed> {
  return withAdminStore(config, async (store) => {
    const only = options.organization === undefined ? null : await existingOrganization(store, options)
    return await verifyChains({ store, secrets: await secretsOf(config) }, only)
  })
}
