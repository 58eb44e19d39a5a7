import { windowAt, type Window } from '../../../src/contract/interval.ts'
import type { Services } from '../../../src/service/services.ts'

/* Events of the benches of exports. The kept ones are made again when this file changes, so it has all that decides about them. */

const hourMs = 3_600_000
/** The hour that is exported; it has 1,000,000 events. */
export const window = windowAt('hour', Date.UTC(2026, 0, 1, 10))
/** Hours with 100,000 and 10,000,000 events. */
export const few = windowAt('hour', window.start - 4 * hourMs)
export const many = windowAt('hour', window.start + 4 * hourMs)

/** Inserts the events of all three hours. */
export async function fillEvents(services: Services, projectId: number): Promise<void> {
  await insertEvents(services, projectId, 100_000, few)
  await insertEvents(services, projectId, 1_000_000)
  await insertEvents(services, projectId, 10_000_000, many)
}

/** Inserts events of an hour. */
export async function insertEvents(
  { warehouse }: Services,
  projectId: number,
  count: number,
  { start }: Window = window,
): Promise<void> {
  const batch = 100_000
  for (let done = 0; done < count; done += batch)
    await warehouse.command(
      `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
      SELECT {team: Int64}, generateUUIDv4(), ['$pageview', '$autocapture', 'order placed', '$pageleave'][1 + number % 4],
        concat('{"$browser":"Chrome","$os":"Mac OS X","$screen_width":1440,"$lib":"web","$lib_version":"1.449.2","$current_url":"https://shop.example/products/', toString(rand() % 5000), '","$session_id":"', toString(generateUUIDv4()), '","$device_id":"', toString(generateUUIDv4()), '","title":"A lamp of brass and linen","price":', toString(rand() % 900), '}'),
        concat('visitor-', toString(rand(1) % 20000)), fromUnixTimestamp64Milli({from: Int64} + rand(2) % 3600000, 'UTC') AS time, time, time + INTERVAL 2 SECOND,
        if(number % 4 = 1, 'button.primary:attr__class="primary"nth-child="2"text="Add to cart";div:nth-child="1"', ''), generateUUIDv4(), '{"email":"someone@example.com","plan":"pro"}'
      FROM numbers({batch: UInt64})`,
      { params: { team: projectId, from: start, batch } },
    )
}
