const configKey = 'destination.config.'

/** Labels of the form by field name, without the prefix of destinations, in the order of the form. */
export const settingLabels: Record<string, string> = {
  name: 'Name',
  model: 'Model',
  hogql_query: 'Query',
  include_events: 'Only these events',
  exclude_events: 'Exclude events',
  include_blocks: 'Recording files',
  tags: 'Tags',
  owner: 'Owner',
  note: 'Note',
  'destination.type': 'Destination',
  'destination.integration': 'Connection',
  'destination.integration.secrets': 'Secrets of the connection',
  'destination.integration.endpoint_url': 'Endpoint of the connection',
  'destination.integration.host': 'Host of the connection',
  'destination.integration.port': 'Port of the connection',
  'destination.integration.user': 'User of the connection',
  'destination.integration.account_endpoint': 'Storage account of the connection',
  'destination.integration.host_key_fingerprint': 'Host key of the connection',
  bucket_name: 'Bucket',
  container_name: 'Container',
  region: 'Region',
  prefix: 'Prefix',
  endpoint_url: 'Endpoint',
  aws_access_key_id: 'Access key id',
  aws_secret_access_key: 'Secret access key',
  encryption: 'Encryption',
  kms_key_id: 'KMS key id',
  use_virtual_style_addressing: 'Virtual-hosted addresses',
  path: 'Folder',
  host: 'Host',
  port: 'Port',
  user: 'User',
  password: 'Password',
  database: 'Database',
  schema: 'Schema',
  table_name: 'Table',
  append_only: 'Append only',
  columns: 'Columns',
  url: 'URL',
  batch_size: 'Rows per request',
  headers: 'Headers',
  signing_secret: 'Signing secret',
  file_format: 'Format',
  compression: 'Compression',
  legacy_parquet_extension: 'Compression in names',
  max_file_size_mb: 'Maximum file size',
  interval: 'Interval',
  start_at: 'Start',
  end_at: 'End',
  paused: 'Paused',
  pause_reason: 'Reason for the pause',
  paused_until: 'End of the pause',
}

/** Returns the form's label of an API field: `Prefix` for `destination.config.prefix`. */
export function settingLabel(field: string): string {
  const name = field.replace(configKey, '')
  return settingLabels[name] ?? name
}

/** Returns the fields whose label contains a text, in any case. */
export function fieldsLabelled(text: string): string[] {
  const found = Object.keys(settingLabels).filter((name) =>
    settingLabels[name]?.toLowerCase().includes(text.toLowerCase()),
  )
  return found.flatMap((name) => [name, configKey + name])
}
