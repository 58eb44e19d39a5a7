import type { Model } from '../../../contract/batch-export.ts'

type QueryColumn = { name: string; meaning: string }

/** What a query can name, in the order in which it is exported. */
export const queryColumns: Record<Model, readonly QueryColumn[]> = {
  events: [
    { name: 'uuid', meaning: 'the event’s own id' },
    { name: 'timestamp', meaning: 'when it happened' },
    { name: 'inserted_at', meaning: 'when it arrived here' },
    { name: 'created_at', meaning: 'when it was captured' },
    { name: 'event', meaning: 'its name' },
    { name: 'properties', meaning: 'all its properties; one of them: properties.$browser' },
    { name: 'distinct_id', meaning: 'who did it, as the page knew them' },
    { name: 'elements_chain', meaning: 'what was clicked, for $autocapture' },
    { name: 'person_properties', meaning: 'the person then; one of them: person.properties.email' },
    { name: 'person_id', meaning: 'the person’s own id' },
  ],
  persons: [
    { name: 'team_id', meaning: 'the project' },
    { name: 'distinct_id', meaning: 'one of the ids of the person' },
    { name: 'person_id', meaning: 'the person’s own id' },
    { name: 'properties', meaning: 'all properties; one of them: properties.email' },
    { name: 'person_version', meaning: 'grows with each change of the person' },
    { name: 'person_distinct_id_version', meaning: 'grows when the id moves to another person' },
    { name: 'created_at', meaning: 'when the person was first seen' },
    { name: 'is_deleted', meaning: '1 when the person was deleted' },
  ],
}

type ExampleQuery = { title: string; query: string }

export const exampleQueries: Record<Model, readonly ExampleQuery[]> = {
  events: [
    {
      title: 'Page views with their address and browser',
      query: `SELECT
  uuid,
  timestamp,
  distinct_id,
  properties.$current_url AS url,
  properties.$browser AS browser
FROM events
WHERE event = '$pageview'`,
    },
    {
      title: 'A number out of the properties, and the person’s email',
      query: `SELECT
  uuid,
  timestamp,
  toFloat(properties.revenue) AS revenue,
  person.properties.email AS email
FROM events
WHERE toFloat(properties.revenue) > 0`,
    },
  ],
  persons: [
    {
      title: 'Persons with their email and first day',
      query: `SELECT
  person_id,
  distinct_id,
  properties.email AS email,
  toDate(created_at) AS first_day
FROM persons
WHERE is_deleted = 0`,
    },
  ],
}
