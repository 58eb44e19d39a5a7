export const destinationTypes = [
  'S3',
  'AwsS3',
  'S3Compatible',
  'AzureBlob',
  'SFTP',
  'File',
  'Postgres',
  'MySQL',
  'ClickHouse',
  'Webhook',
] as const
