import { secretFields } from '../../../contract/destinations/destination.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import type { SentAction } from '../../api/last-actions.ts'
import { curlOf } from './curl-command.ts'
import type { CurlRequest } from './export-requests.ts'

/** Keys of secrets in request bodies; the URL is a channel's, whose path is a secret. */
const secretKeys = new Set([...Object.values(secretFields).flat(), 'password', 'signing_secret', 'url'])

/** Returns actions as curl commands, in which secrets are `<…>`. An action that was repeated is listed once. */
export function requestsOfActions(
  actions: readonly SentAction[],
  timeInWords: (at: number) => string,
): CurlRequest[] {
  const requests = actions.map(({ name, input, at }): CurlRequest => {
    const { method, path } = endpoints[name]
    const place = path.replace('/api/projects/:project_id', '')
    return {
      label: `${timeInWords(at)} ${method} ${place}`,
      command: curlOf(name, { ...input, body: withoutSecrets(input.body) }),
    }
  })
  return requests.filter(
    ({ command }, index) => requests.findIndex((other) => other.command === command) === index,
  )
}

function withoutSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return secretKeys.has(key) ? `<${key}>` : value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, name)]))
}
