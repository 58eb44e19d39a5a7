import type { LinkShows, SharingConfiguration } from '../../../contract/sharing.ts'
import { clockTime } from '../../words/clock.ts'
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

/** Names the part of the recording that a link shows. */
export function partInWords({ start, end }: Pick<SharingConfiguration, 'start' | 'end'>): string {
  if (start === null && end === null) return 'The whole visit'
  const from = clockTime((start ?? 0) * 1000)
  return end === null ? `From ${from} to the end` : `From ${from} to ${clockTime(end * 1000)}`
}
