import { Readable } from 'node:stream'
import type { DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { ExportDefinition } from '../../../contract/exports/export-definition.ts'
import type { Services } from '../../services.ts'
import { exportsByName, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { Project } from '../../store/accounts/projects.ts'
import type { Handler } from '../handler.ts'
import { storedSecrets } from '../exports/destination-input.ts'
import { showConfiguration } from '../exports/show-batch-export.ts'

export const batchExportsAsYaml: Handler<'batchExportsAsYaml'> = async ({ services, project, query }) => {
  const rows = await exportsByName(services.store, project.id, query.id)
  return Readable.from([await definitionsAsYaml(services, project, rows)])
}

/** Returns exports of a project as a file that can be applied. Exports with the same secret name the same variable. */
export async function definitionsAsYaml(
  services: Pick<Services, 'secrets' | 'logger'>,
  project: Project,
  rows: readonly BatchExportRow[],
): Promise<string> {
  const { Document } = await import('yaml')
  const variableOf = secretVariables()
  const exports = rows.map((row) => definitionOf(services, row, variableOf))
  const document = new Document({ project: project.id, exports })
  const names = rows.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) < index)
  document.commentBefore = [
    ` Batch exports of the project ${project.name.replaceAll(/\s+/g, ' ')}. To apply them, set the variables in \${…}:`,
    ' npm run --silent admin -- plan -f FILE',
    ' npm run --silent admin -- apply -f FILE',
    ...repeated.map((name) => ` Before that, rename one of the exports named ${JSON.stringify(name)}.`),
  ].join('\n')
  return document.toString({ lineWidth: 0 })
}

type VariableOf = (field: string, value: unknown) => string

/** Returns a function that names the variable of a secret: `${AWS_ACCESS_KEY_ID}`, and for other values `${AWS_ACCESS_KEY_ID_2}`. */
function secretVariables(): VariableOf {
  const values = new Map<string, unknown[]>()
  return (field, value) => {
    const known = values.get(field) ?? []
    values.set(field, known)
    const place = known.includes(value) ? known.indexOf(value) : known.push(value) - 1
    return `\${${field.toUpperCase()}${place === 0 ? '' : `_${place + 1}`}}`
  }
}

/** Returns the settings of an export that differ from those of a new one. */
function definitionOf(
  services: Pick<Services, 'secrets' | 'logger'>,
  row: BatchExportRow,
  variableOf: VariableOf,
): Record<string, unknown> {
  const shown = new Map(Object.entries<unknown>(showConfiguration(row)))
  const secrets = storedSecrets(services, row)
  const kind: DestinationKind = destinationKinds[row.destination_type]
  const { secrets: secretNames, namedSecrets = [], integration } = kind
  const inline = row.integration_id === null ? secretNames : []
  const variables = inline
    .filter((field) => field in secrets || !namedSecrets.includes(field))
    .map((field) => [
      field,
      namedSecrets.includes(field)
        ? Object.fromEntries(
            Object.entries<unknown>(Object(secrets[field])).map(([name, value]) => [
              name,
              variableOf(`header_${name.replaceAll(/\W/g, '_')}`, value),
            ]),
          )
        : variableOf(field, secrets[field]),
    ])
  shown.set('destination', {
    type: row.destination_type,
    ...(row.integration_config && {
      integration: { kind: integration?.kind, name: row.integration_config['name'] },
    }),
    config: { ...row.destination_config, ...Object.fromEntries(variables) },
  })
  const fields = Object.keys(ExportDefinition.shape).map((field) => [field, shown.get(field)] as const)
  return Object.fromEntries(fields.filter(([, value]) => !isNone(value)))
}

function isNone(value: unknown): boolean {
  return (
    [null, undefined, '', false].some((none) => none === value) ||
    (Array.isArray(value) && value.length === 0)
  )
}
