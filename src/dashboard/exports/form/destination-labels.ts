import type { DestinationType } from '../../../contract/destinations/destination.ts'

/** What a gallery shows of a type of destination; separate from `destinationKinds`, which needs all schemas. */
export const destinationLabels: Record<DestinationType, { label: string; about: string; words: string }> = {
  S3: {
    label: 'S3 or compatible',
    about: 'Files in a bucket of any store, with keys for this export alone.',
    words: 'aws amazon bucket minio r2 cloudflare spaces files',
  },
  AwsS3: {
    label: 'Amazon S3',
    about: 'Files in a bucket at Amazon, with the keys of a connection.',
    words: 'aws bucket object storage data lake athena files',
  },
  S3Compatible: {
    label: 'S3-compatible store',
    about: 'Files in Cloudflare R2, DigitalOcean Spaces, MinIO or a similar store.',
    words: 'bucket object storage backblaze wasabi hetzner ceph gcs google files',
  },
  AzureBlob: {
    label: 'Azure Blob Storage',
    about: 'Files in a container of a storage account.',
    words: 'microsoft azure blob container object storage data lake fabric onelake files',
  },
  SFTP: {
    label: 'SFTP',
    about: 'Files in a folder on a server, over SSH.',
    words: 'ssh server folder ftp upload files',
  },
  File: {
    label: 'Service’s disk',
    about: 'Files in a folder on the computer that runs Spool.',
    words: 'folder local directory disk',
  },
  Postgres: {
    label: 'PostgreSQL',
    about: 'Rows in a table, each window exactly once.',
    words: 'postgres database sql table warehouse rds aurora supabase neon timescale',
  },
  MySQL: {
    label: 'MySQL',
    about: 'Rows in a table of MySQL or MariaDB, each window exactly once.',
    words: 'mariadb database sql table warehouse rds aurora planetscale tidb',
  },
  ClickHouse: {
    label: 'ClickHouse',
    about: 'Rows in a table of a ClickHouse server, each window exactly once.',
    words: 'database sql table warehouse analytics cloud altinity',
  },
  Webhook: {
    label: 'Webhook',
    about: 'Rows as JSON in signed requests to a URL, at least once.',
    words: 'http https url post json api endpoint zapier n8n make function lambda requests',
  },
}
