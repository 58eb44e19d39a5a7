/** Kinds of connections, under PostHog's names where it has them. */
export const integrationKindNames = [
  'aws-s3',
  's3-compatible',
  'azure-blob',
  'postgresql',
  'clickhouse',
  'mysql',
  'sftp',
] as const
export type IntegrationKindName = (typeof integrationKindNames)[number]
