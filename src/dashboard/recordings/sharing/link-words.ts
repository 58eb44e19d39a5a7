import {
  sharedRecordingsMax,
  type LinkShows,
  type SharingConfiguration,
} from '../../../contract/recordings/sharing.ts'
import { clockTime } from '../../format/clock.ts'
import type { MaskKind } from './link-draft.ts'

export const showsInWords: Record<LinkShows, string> = {
  picture: 'The picture only',
  console: 'The picture and the console',
  network: 'The picture and the network',
  all: 'The picture, the console and the network',
}

export const kindInWords: Record<MaskKind, string> = {
  text: 'All text',
  inputs: 'All form fields',
  images: 'All images',
}

type Part = Pick<SharingConfiguration, 'start' | 'end'> & { names?: boolean }

/** Names the part of the recording, or of the collection, that a link shows. */
export function partInWords({ start, end, names }: Part): string {
  if (names !== undefined) return `The newest ${sharedRecordingsMax} recordings`
  if (start === null && end === null) return 'The whole recording'
  const from = clockTime((start ?? 0) * 1000)
  return end === null ? `From ${from} to the end` : `From ${from} to ${clockTime(end * 1000)}`
}
