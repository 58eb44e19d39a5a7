import { Interval } from '../../../contract/interval.ts'
import { DestinationType } from '../../../contract/destination.ts'
import { destinationLabel } from '../../words/destination.ts'
import { everyInterval } from '../../words/interval.ts'

const configKey = 'destination.config.'

/** Labels by field name, in the order of the form. */
const labels: Record<string, string> = {
  name: 'Name',
  model: 'Model',
  hogql_query: 'Query',
  include_events: 'Only these events',
  exclude_events: 'All but these events',
  include_blocks: 'Recording files',
  tags: 'Tags',
  owner: 'Owner',
  note: 'Note',
  'destination.type': 'Destination',
  bucket_name: 'Bucket',
  region: 'Region',
  prefix: 'Prefix',
  endpoint_url: 'Endpoint',
  aws_access_key_id: 'Access key id',
  aws_secret_access_key: 'Secret access key',
  encryption: 'Encryption',
  kms_key_id: 'KMS key id',
  use_virtual_style_addressing: 'Virtual-hosted addresses',
  path: 'Folder',
  file_format: 'Format',
  compression: 'Compression',
  max_file_size_mb: 'Split at',
  interval: 'Interval',
  start_at: 'Start',
  end_at: 'End',
  paused: 'Paused',
  pause_reason: 'Reason for the pause',
  paused_until: 'End of the pause',
}

/** Returns the form's label of an API field: `Prefix` for `destination.config.prefix`. */
export function settingLabel(field: string): string {
  return labels[field.replace(configKey, '')] ?? field.replace(configKey, '')
}

/** Compares settings by their order in the form, unknown ones last. */
export function byFormOrder(one: { field: string }, other: { field: string }): number {
  return placeOf(one.field) - placeOf(other.field)
}

const places = Object.keys(labels)

function placeOf(field: string): number {
  const place = places.indexOf(field.replace(configKey, ''))
  return place < 0 ? places.length : place
}

/** Describes a setting's value; null for none. Lists, queries and times are rendered by `SettingValue`. */
export function settingInWords(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  switch (field.replace(configKey, '')) {
    case 'interval': {
      const interval = Interval.safeParse(value).data
      return interval ? everyInterval(interval) : text
    }
    case 'destination.type': {
      const type = DestinationType.safeParse(value).data
      return type ? destinationLabel(type) : text
    }
    case 'max_file_size_mb':
      return `${text} MB`
    default:
      return text
  }
}
