import { endpoints, type EndpointName } from '../../../contract/endpoints.ts'
import { address, type CallInput } from '../../api/call.ts'
import { shellQuoted } from '../../format/shell-quoted.ts'

/**
 * Returns the curl command of a request, from the table of endpoints. The key comes from the variable `SPOOL_API_KEY`.
 */
export function curlCommand<Name extends EndpointName>(name: Name, input: CallInput<Name>): string {
  return curlOf(name, input)
}

type Parts = { params?: Record<string, string>; query?: object; body?: unknown }

/** Like `curlCommand`, for a request that is known to be valid. */
export function curlOf(name: EndpointName, { params = {}, query = {}, body }: Parts): string {
  const { method, path } = endpoints[name]
  return [
    `curl --globoff -X ${method} --url ${shellQuoted(address(path, params, query))}`,
    '  -H "Authorization: Bearer $SPOOL_API_KEY"',
    ...(body === undefined
      ? []
      : ["  -H 'Content-Type: application/json'", `  --data-raw ${quotedJson(body)}`]),
  ].join(' \\\n')
}

/** Quotes a value as JSON in several lines, in which line breaks are the only control characters. */
function quotedJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2)
  const lines = json.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
  return `'${lines.replaceAll("'", String.raw`'\''`)}'`
}
