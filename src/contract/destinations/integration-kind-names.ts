/**
 * Kinds of connections under PostHog's names, where it has them, with their names in lists. Apart from `integrationKinds`, which
 * needs all schemas, and whose files import from this folder.
 */
export const integrationKindLabels = {
  'aws-s3': 'Amazon S3',
  's3-compatible': 'S3-compatible store',
  'azure-blob': 'Azure Blob Storage',
  postgresql: 'PostgreSQL',
  clickhouse: 'ClickHouse',
  mysql: 'MySQL',
  sftp: 'SFTP',
} as const
export type IntegrationKindName = keyof typeof integrationKindLabels

export const integrationKindNames = Object.keys(integrationKindLabels) as [
  IntegrationKindName,
  ...IntegrationKindName[],
]
