import { Readable } from 'node:stream'
import type { LinkEndpointName, LinkResponseOf, QueryOf } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import type { SharedRecording } from '../../../contract/recordings/session-recording.ts'
import { shownWith, type LinkShows } from '../../../contract/recordings/recording-rules.ts'
import type { OpenedLink, OpenedCollection } from '../../../contract/recordings/sharing.ts'
import { actionTimes } from '../../recordings/session-events.ts'
import type { Cutter } from '../../recordings/sharing/cutter.ts'
import { limitsOf, sharedTimes, SharedPart, showsAll } from '../../recordings/sharing/shared-part.ts'
import type { SharedCollections } from '../../recordings/sharing/shared-collections.ts'
import type { Services } from '../../services.ts'
import { listBlocks } from '../../store/recordings/recording-blocks.ts'
import {
  countView,
  type Shared,
  type SharingRow,
  type SharedCollection,
} from '../../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { assetsOfSessionRecording } from '../recordings/recording-assets.ts'
import { outOfRange, readRange, snapshotsOfSessionRecording } from '../recordings/recording-snapshots.ts'
import { stripBits } from '../../../contract/recordings/recording-facts.ts'
import { visitorHue, visitorName } from '../../../contract/recordings/visitor-name.ts'
import { isUuid } from '../../auth/uuid.ts'
import { personsOf } from '../../store/recordings/recording-persons.ts'
import { factsOf } from '../../store/recordings/recording-facts.ts'
import { personName } from '../recordings/show-recording.ts'

const actionsMax = 5000

/** Input of a handler called with a link instead of a key. */
export type LinkRequest<Name extends LinkEndpointName> = {
  services: Services
  link: SharingRow
  cutter: Cutter
  collections: SharedCollections
  query: QueryOf<Name>
} & (Name extends 'openLink' ? Shared : { recording: RecordingRow })
type LinkHandler<Name extends LinkEndpointName> = (
  request: LinkRequest<Name>,
) => Promise<Readable | LinkResponseOf<Name>>

/** The handler of each endpoint that accepts a link's token. */
export const linkHandlers: { [Name in LinkEndpointName]: LinkHandler<Name> } = {
  getSessionRecording: async ({ recording, link }) => showShared(recording, link),
  snapshotsOfSessionRecording: async (request) => {
    const { link, cutter, query } = request
    const limits = limitsOf(link)
    if (showsAll(limits)) return await snapshotsOfSessionRecording(request)
    const range = readRange(query)
    const source = await sharedPart(request)
    if (!range) return { sources: source.part.sources() }
    if (range.last >= source.part.count) throw outOfRange()
    const lines = await cutter.lines(source, range)
    return Readable.from([lines], { objectMode: false })
  },
  assetsOfSessionRecording: async (request) => await sharedAssets(request),
  openLink: async (request) => {
    const { services, link } = request
    await countView(services.store, link.id, new Date(services.clock.now()))
    return request.collection ? await showCollection(request) : await openRecording(request)
  },
  openCollectedRecording: async (request) => await openRecording(request),
}

type Opening = Pick<LinkRequest<'openCollectedRecording'>, 'services' | 'recording' | 'link'>

async function openRecording({ services, recording, link }: Opening): Promise<OpenedLink> {
  const session = { projectId: recording.project_id, sessionId: recording.session_id }
  const { start, end } = sharedTimes(recording, link)
  const acted_at = (await actionTimes(services.warehouse, session, actionsMax)).filter(
    (time) => isAll(link) || (time >= start.getTime() && time <= end.getTime()),
  )
  const { highlights } = link
  return {
    ...showShared(recording, link),
    team_id: recording.project_id,
    shows: shownWith(link),
    highlights,
    acted_at,
  }
}

async function sharedPart({ services, recording, link }: Opening) {
  const blocks = await listBlocks(services.store, recording.id)
  const limits = limitsOf(link)
  const name = `${recording.id} ${blocks.length}`
  return { name, linkId: link.id, part: new SharedPart(blocks, limits), limits }
}

/** Returns the files that the link shows; files that style sheets name are listed for every link. */
async function sharedAssets(request: LinkRequest<'assetsOfSessionRecording'>): Promise<RecordedAssets> {
  const limits = limitsOf(request.link)
  if (limits.start === null && limits.end === null && limits.masks.length === 0)
    return await assetsOfSessionRecording(request)
  const files = await request.cutter.files(await sharedPart(request))
  const showsImages = limits.masks.every(({ kind }) => kind !== 'images')
  return await assetsOfSessionRecording(request, ({ url, depth, content_type }) => {
    if (!files.has(url) && depth === 0) return false
    return showsImages || !content_type?.startsWith('image/')
  })
}

function showShared(row: RecordingRow, link: SharingRow): SharedRecording {
  const { start, end } = sharedTimes(row, link)
  return {
    id: row.session_id,
    recording_duration: isAll(link)
      ? row.recording_duration
      : Math.floor((end.getTime() - start.getTime()) / 1000),
    start_time: formatInstant(start),
    end_time: formatInstant(end),
    // Which of them lie in the range is not stored.
    dropped_events: isAll(link) ? row.dropped_events : null,
  }
}

/** Whether the link shows the recording from its beginning to its end. */
function isAll({ start_at, end_at }: SharingRow): boolean {
  return start_at === null && end_at === null
}

type Request = {
  services: Services
  collection: SharedCollection
  link: SharingRow
  collections: SharedCollections
}

/** Returns a collection as its link shows it. */
async function showCollection(request: Request): Promise<OpenedCollection> {
  const { services, collection, link, collections } = request
  const { recordings, hasMore } = await collections.list(collection, link)
  const ids = recordings.map((row) => row.distinct_id)
  const [facts, persons] = await Promise.all([
    factsOf(
      services.store,
      recordings.map((row) => row.id),
    ),
    personsOf(services.store, collection.project_id, link.names ? ids : []),
  ])
  return {
    name: collection.name,
    team_id: collection.project_id,
    shows: shownWith(link),
    results: recordings.map((row) => ({
      id: row.session_id,
      start_time: formatInstant(row.start_time),
      recording_duration: row.recording_duration,
      ...(link.names
        ? nameOf(row.distinct_id, personName(persons.get(row.distinct_id)?.properties ?? {}))
        : nameOf(unguessable(services, row.distinct_id), null)),
      strip: facts.get(row.id)?.strip.map((bits) => bits & bitsOf(shownWith(link))) ?? null,
    })),
    has_more: hasMore,
  }
}

function nameOf(id: string, person: string | null): { name: string; hue: number } {
  return { name: visitorName(person, id), hue: visitorHue(id) }
}

/**
 * Returns an id to derive the visitor's two words from. A random id is its own; any other, such as an e-mail address,
 * could be guessed and confirmed by its words.
 */
function unguessable({ secrets }: Services, distinctId: string): string {
  return isUuid(distinctId) ? distinctId : secrets.token(`visitor ${distinctId}`)
}

/** The strip's bits that a link shows: errors are in the console, failed requests in the network. */
function bitsOf(shows: LinkShows): number {
  const { error, request, ...picture } = stripBits
  const shown = [
    ...Object.values(picture),
    ...(shows === 'console' || shows === 'all' ? [error] : []),
    ...(shows === 'network' || shows === 'all' ? [request] : []),
  ]
  return shown.reduce((sum, bit) => sum | bit, 0)
}
