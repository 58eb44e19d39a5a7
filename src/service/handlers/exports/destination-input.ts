import {
  destinationIssues,
  type DestinationIssue,
} from '../../../contract/destinations/destination-issues.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import { movedSecretIssues } from '../../../contract/destinations/moved-secrets.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { DestinationColumns } from '../../store/runs/batch-exports.ts'
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
  return destinationTypes.filter(
    (type) => !destinationKinds[type].isOnDisk || services.exportsFolder !== null,
  )
}

/**
 * Returns a destination as stored: its secrets sealed, apart from the rest. Fields that a change omits, secrets included,
 * keep their stored values; a change of type starts from an empty config, and a change of the address requires the
 * secrets again.
 * @throws ApiError 400 listing all issues.
 */
export async function storeDestination(
  services: Services,
  given: Given,
  stored: DestinationColumns | null,
  checks: SlowChecks = slowChecks(services),
): Promise<DestinationColumns> {
  const type = given.type ?? stored?.destination_type ?? ''
  const kept = stored?.destination_type === type ? stored : null
  const keptSecrets = kept ? storedSecrets(services, kept) : {}
  const config = { ...(given.isWhole ? {} : kept?.destination_config), ...keptSecrets, ...given.config }
  const keptNames = Object.keys(keptSecrets).filter((name) => !Object.hasOwn(given.config ?? {}, name))
  const offered = offeredDestinations(services)
  const issues = [
    ...(kept ? movedSecretIssues(kept.destination_type, kept.destination_config, config, keptNames) : []),
    ...destinationIssues({ type, config }, offered),
  ]
  const found = offered.find((name) => name === type)
  if (issues.length > 0 || !found) throw refuse(issues)
  await assertReachAllowed(checks, config)

  const isSecret = ([name]: [string, unknown]) => destinationKinds[found].secrets.includes(name)
  const entries = Object.entries(config)
  const secrets = entries.filter(isSecret)
  return {
    destination_type: found,
    destination_config: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    destination_secrets:
      secrets.length > 0 ? services.secrets.seal(JSON.stringify(Object.fromEntries(secrets))) : null,
  }
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
  const { endpoint_url: endpoint } = config
  if (typeof endpoint !== 'string' || endpoint === '') return
  const message = await checks.endpoint(endpoint)
  const path = ['destination', 'config', 'endpoint_url']
  if (message !== null) throw refuse([{ attr: 'destination__non_field_errors', path, message }])
}

function refuse(issues: readonly DestinationIssue[]): ApiError {
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
