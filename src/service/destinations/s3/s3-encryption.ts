import type { S3Config } from '../../../contract/destinations/s3.ts'
import type { Row } from '../../engines/clickhouse/clickhouse.ts'

/**
 * Returns the header for ClickHouse, without the name of a KMS key: ClickHouse would also send the name with upload parts,
 * which S3 rejects. A temporary object is therefore encrypted with the store's own KMS key.
 */
export function encryptionHeaders({ encryption }: S3Config): { sql: string; params: Row } {
  if (!encryption) return { sql: '', params: {} }
  return { sql: `, headers('x-amz-server-side-encryption' = {encryption: String})`, params: { encryption } }
}

export function encryptionFields({ encryption, kms_key_id }: S3Config) {
  if (!encryption) return {}
  return {
    ServerSideEncryption: encryption,
    ...(encryption === 'aws:kms' && kms_key_id && { SSEKMSKeyId: kms_key_id }),
  }
}
