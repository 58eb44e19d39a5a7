import { destinationIssues, type DestinationIssue } from '../../../contract/destination-issues.ts'
import {
  destinationTypes,
  secretFields,
  type DestinationInput,
  type DestinationType,
} from '../../../contract/destination.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { DestinationColumns } from '../../store/batch-exports.ts'
import { slowChecks, type SlowChecks } from './slow-checks.ts'

type Config = Record<string, unknown>
type Given = {
  type?: string | undefined
  config?: Config | null | undefined
  /** The config is complete: of the stored fields that it omits, only secrets keep their values. */
  isWhole?: boolean | undefined
}

/** Returns the destination types that this installation can write to. */
export function offeredDestinations(services: Services): DestinationType[] {
  return destinationTypes.filter((type) => type !== 'File' || services.exportsFolder !== null)
}

/**
 * Returns a destination as stored: its secrets sealed, apart from the rest. Fields that a change omits, secrets included,
 * keep their stored values; a change of type starts from an empty config.
 * @throws ApiError 400 listing all issues.
 */
export async function storeDestination(
  services: Services,
  given: Given,
  stored: DestinationColumns | null,
  checks: SlowChecks = slowChecks(services),
): Promise<DestinationColumns> {
  const type = given.type ?? stored?.destination_type ?? ''
  const kept = stored && stored.destination_type === type ? keptConfig(services, given, stored) : {}
  const config = { ...kept, ...given.config }
  const offered = offeredDestinations(services)
  const issues = destinationIssues({ type, config }, offered)
  const found = offered.find((name) => name === type)
  if (issues.length > 0 || !found) throw refuse(issues)
  await assertReachAllowed(checks, config)

  const secret = secretFields[found]
  const isSecret = ([name]: [string, unknown]) => secret.includes(name)
  const entries = Object.entries(config)
  const secrets = entries.filter(isSecret)
  return {
    destination_type: found,
    destination_config: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    destination_secrets:
      secrets.length > 0 ? services.secrets.seal(JSON.stringify(Object.fromEntries(secrets))) : null,
  }
}

function keptConfig(services: Services, { isWhole }: Given, stored: DestinationColumns): Config {
  return { ...(isWhole ? {} : stored.destination_config), ...storedSecrets(services, stored) }
}

/** Fills in the secrets that a destination omits from another destination of the same type. */
export function withSecretsOf(
  services: Services,
  given: DestinationInput,
  other: DestinationColumns | null,
): DestinationInput {
  if (other?.destination_type !== given.type) return given
  return { ...given, config: { ...storedSecrets(services, other), ...given.config } }
}

/** Returns the secrets of a stored destination by name. */
export function storedSecrets(
  services: Pick<Services, 'secrets' | 'logger'>,
  { destination_secrets: sealed }: Pick<DestinationColumns, 'destination_secrets'>,
): Config {
  return sealed ? openSecrets(services, sealed) : {}
}

/** Secrets sealed with a lost key count as missing, so that the response names the ones to provide again. */
function openSecrets(services: Pick<Services, 'secrets' | 'logger'>, sealed: Buffer): Config {
  try {
    return JSON.parse(services.secrets.open(sealed))
  } catch (error) {
    services.logger.warn({ err: error }, "cannot open a destination's secrets")
    return {}
  }
}

/** Keeps endpoints outside the service's network; the exporter checks them again. */
async function assertReachAllowed(checks: SlowChecks, config: Config): Promise<void> {
  const { endpoint_url: endpoint } = config
  const refuseField = (field: string, message: string) =>
    refuse([{ attr: 'destination__non_field_errors', path: ['destination', 'config', field], message }])
  if (typeof endpoint !== 'string' || endpoint === '') return
  const message = await checks.endpoint(endpoint)
  if (message !== null) throw refuseField('endpoint_url', message)
}

function refuse(issues: readonly DestinationIssue[]): ApiError {
  const [first] = issues
  return new ApiError({
    status: 400,
    type: 'validation_error',
    code: first?.attr === 'destination__type' ? 'invalid_choice' : 'invalid_input',
    detail: first?.message ?? 'The destination is not valid.',
    attr: first?.attr ?? 'destination',
    issues: issues.map(({ path, message }) => ({ path, message })),
  })
}
