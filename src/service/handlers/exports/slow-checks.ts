import type { Model } from '../../../contract/exports/batch-export.ts'
import { checkEndpoint } from '../../destinations/destination-check.ts'
import { storeQuery, type QueryColumns } from '../../exporter/query-input.ts'
import type { Services } from '../../services.ts'
import type { IntegrationRow } from '../../store/runs/integrations.ts'
import { findRow, findRows } from '../../store/schema/rows.ts'

/** The checks of an export's settings that wait for a name server, the parser, ClickHouse or another connection to PostgreSQL. */
export type SlowChecks = {
  /** Returns why exports may not be written to this URL; null if they may. */
  endpoint: (url: string) => Promise<string | null>
  /** Returns a connection of a project, or null. */
  connection: (projectId: number, named: ConnectionReference) => Promise<IntegrationRow | null>
  /** Returns a query's columns. @throws ApiError 400 on `hogql_query`, EngineDown when ClickHouse cannot be reached. */
  query: (text: string, model: Model) => Promise<QueryColumns>
}

/**
 * Makes each check once. Callers make them before they begin a transaction, which would otherwise keep a connection and
 * its locks meanwhile, and repeat them inside it, where the results are known.
 */
export function slowChecks(services: Services): SlowChecks {
  const endpoints = new Map<string, Promise<string | null>>()
  const connections = new Map<string, Promise<IntegrationRow | null>>()
  const queries = new Map<string, Promise<QueryColumns>>()
  return {
    endpoint: (url) => once(endpoints, url, () => checkEndpoint(services, url)),
    connection: (projectId, named) =>
      once(connections, JSON.stringify([projectId, named]), () => find(services, projectId, named)),
    query: (text, model) =>
      once(queries, JSON.stringify([text, model]), () => storeQuery(services, text, model)),
  }
}

/** The id of a connection, or its kind and name. */
type ConnectionReference = number | { kind: string; name: string }

async function find(
  { store }: Services,
  projectId: number,
  named: ConnectionReference,
): Promise<IntegrationRow | null> {
  const found =
    typeof named === 'number'
      ? await findRow(store, 'integrations', { project_id: projectId, id: named })
      : (await findRows(store, 'integrations', { project_id: projectId, name: named.name })).find(
          ({ kind }) => kind === named.kind,
        )
  return found ?? null
}

function once<Result>(made: Map<string, Promise<Result>>, key: string, make: () => Promise<Result>) {
  const result = made.get(key) ?? make()
  made.set(key, result)
  return result
}
