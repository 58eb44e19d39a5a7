import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { pino } from 'pino'
import { AppliedExports, ApplyInput } from '../../contract/exports/export-definition.ts'
import { Problem } from '../../contract/problem.ts'
import { callerOfKey } from '../auth/caller.ts'
import { newApiKey } from '../auth/api-key-value.ts'
import { newKeyRow } from '../auth/new-organization.ts'
import { storedOrigin } from '../auth/sign-in-link.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { ownEngines, type Engines } from '../engines/engines.ts'
import { applyBatchExports } from '../handlers/history/apply-definitions.ts'
import { cleanInput } from '../http/clean-input.ts'
import { parseInput } from '../http/parse-input.ts'
import { openServices } from '../open-services.ts'
import { ApiError } from '../problems/api-error.ts'
import { withAdminStore } from '../store/accounts/admin-store.ts'
import type { Store } from '../store/schema/database.ts'
import { firstOwner, type Member } from '../store/accounts/users.ts'
import type { Project } from '../store/accounts/projects.ts'
import { deleteRows, findRow, insertRow } from '../store/schema/rows.ts'
import { DefinitionsError, readDefinitions } from './read-definitions.ts'

/** Names the author of the changes in the history. */
const actor = 'admin apply'

type Given = { path: string; projectId: number | null; prune: boolean; dryRun: boolean }

/**
 * Applies a file of definitions, or only says what would change.
 * @throws DefinitionsError if nothing was applied because of the file, the variables or the project
 */
export async function applyFile(config: Config, { path, projectId, prune, dryRun }: Given) {
  const source = basename(path)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new DefinitionsError(`${path} cannot be read.`, { cause })
  })
  const { describe, ...definitions } = readDefinitions(text, source, process.env)
  const project = projectId ?? definitions.projectId
  if (project === null)
    throw new DefinitionsError(`Add "project: ID" to ${source}, or name the project with --project ID.`)
  const input = { exports: definitions.exports, dry_run: dryRun, prune, source }
  const engines = await ownEngines(config)
  const result = engines
    ? await applyWith(engines, config, project, input)
    : await applyThroughService(config, project, input)
  if ('changes' in result) return result
  const lines = result.issues?.map((issue) => describe(issue.path, issue.message)) ?? [result.detail]
  throw new DefinitionsError([...lines, ...(dryRun ? [] : ['Nothing was applied.'])].join('\n'))
}

type Refusal = Pick<Problem, 'detail' | 'issues'>

async function applyWith(
  engines: Engines,
  config: Config,
  projectId: number,
  input: unknown,
): Promise<AppliedExports | Refusal> {
  try {
    const services = await openServices(engines, {
      config,
      clock: systemClock,
      logger: pino({ level: config.logLevel }, pino.destination(2)),
    })
    const project = await existingProject(services.store, projectId)
    const owner = await firstOwner(services.store, project.organization_id)
    if (!owner) throw new Error('The organization has no owner.')
    const caller = callerOfKey(newKey(owner, projectId), owner)
    const body = parseInput(ApplyInput, cleanInput(input))
    return await applyBatchExports({ services, caller, projects: [project], body })
  } catch (error) {
    if (error instanceof ApiError) return error.details
    throw error
  } finally {
    await engines.stop()
  }
}

/** Sends the definitions to the running service, which alone has the engines, with a key that exists only for the request. */
async function applyThroughService(
  config: Config,
  projectId: number,
  input: unknown,
): Promise<AppliedExports | Refusal> {
  return withAdminStore(config, async (store) => {
    const project = await existingProject(store, projectId)
    const origin = await storedOrigin(store)
    const owner = await firstOwner(store, project.organization_id)
    if (!origin || !owner) throw new Error('The service has not finished its first start.')
    const value = newApiKey()
    const key = newKey(owner, projectId, value)
    await insertRow(store, 'api_keys', key)
    try {
      const response = await fetch(`${origin}/api/projects/${projectId}/batch_exports/apply/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }).catch((cause: unknown) => {
        throw new Error(`The service at ${origin}, which uses the engines, does not respond.`, { cause })
      })
      const body: unknown = await response.json()
      return response.ok ? AppliedExports.parse(body) : Problem.parse(body)
    } finally {
      await deleteRows(store, 'api_keys', { id: key.id })
    }
  })
}

async function existingProject(store: Store, projectId: number): Promise<Project> {
  const project = await findRow(store, 'projects', { id: projectId })
  if (!project) throw new DefinitionsError(`There is no project ${projectId}.`)
  return project
}

function newKey(owner: Member, projectId: number, value = newApiKey()) {
  const limits = { scopes: ['batch_export:write'], scoped_projects: [projectId] }
  return newKeyRow(owner, actor, value, Date.now(), limits)
}
