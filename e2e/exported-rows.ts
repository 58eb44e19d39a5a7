import { query } from 'chdb'

export type ExportedRow = {
  uuid: string
  event: string
  distinct_id: string
  elements_chain: string
  timestamp: number
  properties: Record<string, unknown>
}

type ParquetRow = Omit<ExportedRow, 'timestamp' | 'properties'> & { milliseconds: number; properties: string }

/** Reads the rows of a Parquet file with a separate ClickHouse engine. */
export function readParquet(file: string): ExportedRow[] {
  const columns =
    'toString(uuid) AS uuid, event, distinct_id, elements_chain, toUnixTimestamp64Milli(timestamp) AS milliseconds, properties'
  const lines = query(`SELECT ${columns} FROM file('${file}', Parquet)`, 'JSONEachRow').split('\n')
  const rows = lines.filter((line) => line !== '').map((line): ParquetRow => JSON.parse(line))
  return sorted(
    rows.map(({ milliseconds, properties, ...row }) => {
      return { ...row, timestamp: milliseconds, properties: JSON.parse(properties) }
    }),
  )
}

/** Parses the rows of a JSONLines text. */
export function readJsonLines(text: string): ExportedRow[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return sorted(
    lines.map((line) => {
      const row = JSON.parse(line)
      const { uuid, event, distinct_id, elements_chain, properties } = row
      return { uuid, event, distinct_id, elements_chain, timestamp: Date.parse(row.timestamp), properties }
    }),
  )
}

function sorted(rows: ExportedRow[]): ExportedRow[] {
  return rows.sort((a, b) => a.uuid.localeCompare(b.uuid))
}
