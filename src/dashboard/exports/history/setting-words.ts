import { Interval } from '../../../contract/interval-schema.ts'
import { DestinationType } from '../../../contract/destinations/destination.ts'
import { settingLabels } from '../../../contract/exports/setting-label.ts'
import { destinationLabel } from '../../format/destination.ts'
import { everyInterval } from '../../format/interval.ts'

const configKey = 'destination.config.'

/** Compares settings by their order in the form, unknown ones last. */
export function byFormOrder(one: { field: string }, other: { field: string }): number {
  return placeOf(one.field) - placeOf(other.field)
}

const places = Object.keys(settingLabels)

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
