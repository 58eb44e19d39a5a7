import type { z } from 'zod'
import { configIssues } from '../../../contract/destinations/config-issues.ts'
import { textsOf } from '../../../contract/destinations/destination-kind.ts'
import type { IntegrationKindName } from '../../../contract/destinations/integration-kind-names.ts'
import type { IntegrationKind } from '../../../contract/integrations/integration-kind.ts'
import { integrationKinds } from '../../../contract/integrations/integration-kinds.ts'
import { checkEndpoint } from '../../destinations/destination-check.ts'
import { ApiError, invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { IntegrationRow } from '../../store/runs/integrations.ts'
import type { Store } from '../../store/schema/database.ts'
import { findRow } from '../../store/schema/rows.ts'

type Config = Record<string, unknown>

/**
 * Returns a connection as stored: with defaults, and its secrets sealed, apart from the rest.
 * @throws ApiError 400 listing all issues, or if exports may not be written to its host.
 */
export async function storeIntegration(
  services: Services,
  kind: IntegrationKindName,
  given: Config,
): Promise<Pick<IntegrationRow, 'name' | 'address' | 'config' | 'secrets'>> {
  const {
    config: schema,
    secrets: secretNames,
    ownName,
    addressOf,
    urlOf,
    publicOf,
    ...rules
  }: IntegrationKind<z.ZodType> = integrationKinds[kind]
  const issues = configIssues({ config: schema, ...rules }, given).map(({ path, message }) => ({
    path: ['config', ...path],
    message,
  }))
  if (issues.length > 0) throw refuse(issues)
  const config = schema.parse(given) as Config
  const text = textsOf(config)
  const name = text('name') || ownName(text)
  const url = urlOf(text)
  const problem = url === null ? null : await checkEndpoint(services, url)
  if (problem !== null) throw invalidInput(problem, ['config', urlField(config)])
  const isSecret = ([field]: [string, unknown]) => secretNames.includes(field)
  const entries = Object.entries(config)
  const secrets = Object.fromEntries(entries.filter(isSecret))
  return {
    name,
    address: addressOf(config),
    config: { ...Object.fromEntries(entries.filter((entry) => !isSecret(entry))), ...publicOf?.(text) },
    secrets: services.secrets.seal(JSON.stringify(secrets)),
  }
}

/** @throws ApiError 400 if another connection of this kind and project has the name. */
export async function assertNameFree(store: Store, row: IntegrationRow, name: string): Promise<void> {
  const { id, project_id, kind } = row
  const found = await findRow(store, 'integrations', { project_id, kind, name })
  if (found && found.id !== id) throw sameName(name)
}

export function sameName(name: string): ApiError {
  return invalidInput(`An integration named '${name}' already exists`, ['config', 'name'], { attr: null })
}

/** Returns the field that contains the host. */
function urlField(config: Config): string {
  return ['host', 'endpoint_url', 'connection_string'].find((name) => name in config) ?? 'name'
}

function refuse(issues: { path: string[]; message: string }[]): ApiError {
  const [first] = issues
  return new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail: first?.message ?? 'The connection is not valid.',
    attr: first?.path.join('__') ?? null,
    issues,
  })
}
