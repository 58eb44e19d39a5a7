import { castConfig } from '../../../contract/destinations/cast-config.ts'
import { configAfterChange } from '../../../contract/destinations/change-type.ts'
import { shownLengthMax } from '../../../contract/destinations/config-issues.ts'
import {
  destinationIssues,
  type DestinationIssue,
} from '../../../contract/destinations/destination-issues.ts'
import type { DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { DestinationType, type DestinationInput } from '../../../contract/destinations/destination.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import {
  keptSecrets as keptSecretNames,
  movedSecretIssues,
} from '../../../contract/destinations/moved-secrets.ts'
import { urlOfHost } from '../../../contract/integrations/server.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { DestinationColumns } from '../../store/runs/batch-exports.ts'
import type { IntegrationRow } from '../../store/runs/integrations.ts'
import { chosenConnection } from './chosen-connection.ts'
import { slowChecks, type SlowChecks } from './slow-checks.ts'

type Config = Record<string, unknown>
type Given = { [Field in keyof DestinationInput]?: DestinationInput[Field] | undefined } & {
  /** The config is complete: of the stored fields that it omits, only secrets keep their values. */
  isWhole?: boolean | undefined
}

/** The export to which a destination belongs. */
type Target = {
  projectId: number
  /** What the export has now or, for a copy, what its original has. */
  stored: DestinationColumns | null
  /** The export is created: it may have another type than its original. */
  isNew?: boolean
  checks?: SlowChecks
}

/** Returns the destination types that this installation can write to. */
export function offeredDestinations(services: Pick<Services, 'exportsFolder'>): DestinationType[] {
  return destinationTypes.filter(
    (type) => !destinationKinds[type].isOnDisk || services.exportsFolder !== null,
  )
}

/**
 * Returns a destination as stored: its secrets sealed, apart from the rest. Fields that a change omits, secrets and the
 * connection included, keep their stored values; a change of the address requires the secrets again.
 * @throws ApiError 400 listing all issues.
 */
export async function storeDestination(
  services: Services,
  given: Given,
  { projectId, stored, isNew = false, checks = slowChecks(services) }: Target,
): Promise<DestinationColumns> {
  const name = given.type ?? stored?.destination_type ?? ''
  const offered = offeredDestinations(services)
  const type = offered.find((each) => each === name)
  if (!type) throw refuse(destinationIssues({ type: name }, offered))
  const kept = stored?.destination_type === type ? stored : null
  const kind = destinationKinds[type]
  const connection = await chosenConnection(checks, type, given, { projectId, kept })
  const keptSecrets = kept && !connection ? storedSecrets(services, kept) : {}
  const base = kept?.destination_config ?? (isNew || !stored ? {} : changedType(stored, type))
  const merged = castConfig(kind.config, {
    ...(given.isWhole ? {} : withoutReplaced(base, type, connection)),
    ...((given.isWhole || !kept) && kind.initial),
    ...keptSecrets,
    ...given.config,
  })
  const config = { ...merged, ...namedValues(kind, merged, keptSecrets) }
  const keptNames = keptSecretNames(type, Object.keys(keptSecrets), given.config)
  const issues = [
    ...(kept ? movedSecretIssues(type, kept.destination_config, config, keptNames) : []),
    ...destinationIssues({ type, config, hasConnection: connection !== null }, offered),
    ...missingValues(kind, config),
  ]
  if (issues.length > 0) throw refuse(issues)
  await assertReachAllowed(checks, config)
  return columnsOf(services, type, config, connection)
}

function columnsOf(
  services: Services,
  type: DestinationType,
  config: Config,
  connection: IntegrationRow | null,
): DestinationColumns {
  const kind: DestinationKind = destinationKinds[type]
  const isSecret = ([field]: [string, unknown]) => kind.secrets.includes(field)
  const entries = Object.entries(config)
  const secrets = entries.filter(isSecret)
  return {
    destination_type: type,
    destination_config: {
      ...Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
      ...shownNames(kind, config),
    },
    destination_secrets:
      secrets.length > 0 ? services.secrets.seal(JSON.stringify(Object.fromEntries(secrets))) : null,
    integration_id: connection?.id ?? null,
    integration_config: connection && { ...connection.config, name: connection.name },
  }
}

/** Returns the values by name in which those that are null are the stored ones. */
function namedValues({ namedSecrets = [] }: DestinationKind, config: Config, stored: Config): Config {
  const filled = namedSecrets
    .filter((field) => isRecord(config[field]))
    .map((field) => {
      const known = Object(stored[field])
      const values = Object.entries<unknown>(Object(config[field]))
      return [field, Object.fromEntries(values.map(([name, value]) => [name, value ?? known[name] ?? null]))]
    })
  return Object.fromEntries(filled)
}

/** Returns the names of values by name, with null for each value. */
function shownNames({ namedSecrets = [] }: DestinationKind, config: Config): Config {
  const shown = namedSecrets
    .filter((field) => isRecord(config[field]))
    .map((field) => [
      field,
      Object.fromEntries(Object.keys(Object(config[field])).map((name) => [name, null])),
    ])
  return Object.fromEntries(shown)
}

/** Returns an issue for each value by name that is neither given nor stored. */
function missingValues({ namedSecrets = [] }: DestinationKind, config: Config): DestinationIssue[] {
  return namedSecrets.flatMap((field) =>
    Object.entries<unknown>(Object(config[field]))
      .filter(([, value]) => value === null)
      .map(([name]) => ({
        attr: `destination__config__${field}` as const,
        code: 'required' as const,
        path: ['destination', 'config', field],
        message: `Enter the value of ${name.slice(0, shownLengthMax)}: none is stored.`,
      })),
  )
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the config that an export keeps with another type. @throws ApiError 400 if it cannot have that type. */
function changedType(
  { destination_type: from, destination_config }: DestinationColumns,
  to: DestinationType,
) {
  const config = configAfterChange(from, to, destination_config)
  if (config) return config
  const message = `Cannot change destination type from '${from}' to '${to}'. Delete this batch export and create a new one with the new destination type.`
  throw refuse([{ attr: 'destination', path: ['destination', 'type'], message }])
}

function withoutReplaced(config: Config, type: DestinationType, connection: IntegrationRow | null): Config {
  const replaced = connection ? (destinationKinds[type].integration?.replaces ?? []) : []
  return Object.fromEntries(Object.entries(config).filter(([field]) => !replaced.includes(field)))
}

/**
 * Returns the secrets of a stored destination by name. Those sealed with a lost key count as missing, so that the response names
 * the ones to provide again.
 */
export function storedSecrets(
  { secrets, logger }: Pick<Services, 'secrets' | 'logger'>,
  { destination_secrets: sealed }: Pick<DestinationColumns, 'destination_secrets'>,
): Config {
  try {
    return sealed ? JSON.parse(secrets.open(sealed)) : {}
  } catch (error) {
    logger.warn({ err: error }, "failed to open a destination's secrets")
    return {}
  }
}

/** Keeps endpoints outside the service's network; the exporter checks them again. */
async function assertReachAllowed(checks: SlowChecks, config: Config): Promise<void> {
  const field = ['endpoint_url', 'url', 'host'].find(
    (name) => typeof config[name] === 'string' && config[name] !== '',
  )
  if (field === undefined) return
  const given = String(config[field])
  const message = await checks.endpoint(field === 'host' ? urlOfHost(given, 443) : given)
  const path = ['destination', 'config', field]
  if (message !== null) throw refuse([{ attr: 'destination__non_field_errors', path, message }])
}

export function refuse(issues: readonly DestinationIssue[]): ApiError {
  const [first] = issues
  return new ApiError({
    status: 400,
    type: 'validation_error',
    code: first?.code ?? 'invalid_input',
    detail: first?.message ?? 'The destination is not valid.',
    attr: first?.attr ?? 'destination',
    issues: issues.map(({ path, message }) => ({ path, message })),
  })
}
