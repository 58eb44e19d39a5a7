import { formatInstant } from '../../../contract/instant.ts'
import { shownWith, type LinkShows, type OpenedCollection } from '../../../contract/recordings/sharing.ts'
import { stripBits } from '../../../contract/recordings/recording-facts.ts'
import { visitorHue, visitorName } from '../../../contract/recordings/visitor-name.ts'
import { isUuid } from '../../auth/uuid.ts'
import type { SharedCollections } from '../../recordings/sharing/shared-collections.ts'
import type { Services } from '../../services.ts'
import { personsOf } from '../../store/recordings/recording-persons.ts'
import type { SharedCollection, SharingRow } from '../../store/recordings/recording-sharing.ts'
import { factsOf } from '../../store/recordings/recording-facts.ts'
import { personName } from '../recordings/show-recording.ts'

type Request = {
  services: Services
  collection: SharedCollection
  link: SharingRow
  collections: SharedCollections
}

/** Returns a collection as its link shows it. */
export async function showCollection(request: Request): Promise<OpenedCollection> {
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
