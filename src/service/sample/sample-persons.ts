import { sql } from 'kysely'
import { personIdSql } from '../capture/persons/person-id.ts'
import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { hashSql, pickSql, shareSql, uuidSql } from './random-sql.ts'

export const personCount = 2000
export const sampleDays = 30

const day = 86_400_000
const firstNames =
  'Ada Amir Anouk Bela Carla Chiara Dario Elif Emil Emma Femke Finn Greta Hana Henrik Ida Ines Ivan Jonas Julia Kaito Lena Leo Lina Luca Maja Marta Mateo Mila Nadia Nils Noor Olga Oskar Paula Pavel Rosa Samir Sofia Tomas Vera Yara Yusuf Zoe'.split(
    ' ',
  )
const lastNames =
  'Adler Almeida Bakker Bauer Berg Bianchi Costa Dahl Demir Dubois Eriksen Fabre Ferrari Fischer Garcia Haas Hansen Horvat Ito Jansen Keller Klein Kovac Kowalski Lang Larsen Leroy Lopez Marino Martin Meyer Moreau Novak Okafor Petit Popescu Rossi Santos Schmidt Silva Sousa Tanaka Varga Visser Weber Wolf Yilmaz Zimmer'.split(
    ' ',
  )
const countries = 'DE DE DE FR FR NL NL IT ES AT PL DK SE PT GB US'.split(' ')
const plans = ['free', 'free', 'free', 'plus', 'plus', 'trade']

/** SQL of the sample's start (ms): `sampleDays` days before the end of the anchor's day. */
export const firstMsSql = `(intDiv({anchor: Int64}, ${day}) * ${day} - ${(sampleDays - 1) * day})`

/**
 * Returns SQL expressions about person number `n` (an expression, from 0); they use the parameters project and anchor.
 */
export function personSql(n: string) {
  const key = (name: string) => [`'person ${name}'`, n] as const
  const first = pickSql(firstNames, ...key('first'))
  const last = pickSql(lastNames, ...key('last'))
  const name = `concat(${first}, ' ', ${last})`
  const email = `concat(lower(${first}), '.', lower(${last}), toString(${n} + 1), '@example.com')`
  const distinctId = `concat('customer-', leftPad(toString(${n} + 1), 5, '0'))`
  const beganBefore = `${firstMsSql} - toInt64(${hashSql(...key('before'))} % ${300 * day})`
  const beganWithin = `${firstMsSql} + toInt64(${hashSql(...key('within'))} % ${(sampleDays - 1) * day})`
  const createdMs = `if(${shareSql(...key('old'))} < 0.8, ${beganBefore}, ${beganWithin})`
  const renewedMs = `greatest(${createdMs}, ${firstMsSql}) + 60000 + toInt64(${hashSql(...key('renewed'))} % ${(sampleDays - 1) * day})`
  const fixed = `'{"email":"', ${email}, '","name":"', ${name}, '","country":"', ${pickSql(countries, ...key('country'))}, '"'`
  const plan = pickSql(plans, ...key('plan'))
  return {
    distinctId,
    personId: personIdSql('{project: Int64}', distinctId),
    createdMs,
    /** Time (ms) at which the person's properties changed; after `anchor` if they have not changed yet. */
    renewedMs: `if(${shareSql(...key('renews'))} < 0.7, ${renewedMs}, {anchor: Int64} + 1)`,
    firstProperties: `concat(${fixed}, ',"plan":"', ${plan}, '"}')`,
    renewedProperties: `concat(${fixed}, ',"plan":"', if(${plan} = 'free', 'plus', 'trade'), '","orders":', toString(1 + ${hashSql(...key('orders'))} % 9), ',"newsletter":true}')`,
    /** Anonymous distinct id of the browser that the person used before being identified. */
    deviceId: uuidSql(...key('device')),
    isDeviceKnown: `${shareSql(...key('linked'))} < 0.3`,
  }
}

export type Sample = {
  project: number
  /** End of the sample (ms since the epoch). */
  anchor: number
}

/** Inserts every person into the warehouse, with the first and the changed properties. */
export async function insertWarehousePersons(warehouse: Warehouse, params: Sample) {
  const arrival = `fromUnixTimestamp64Milli(least(state.3 + 1000, {anchor: Int64}), 'UTC')`
  await warehouse.command(
    `INSERT INTO persons (team_id, distinct_id, person_id, properties, person_version, person_distinct_id_version,
      created_at, is_deleted, inserted_at)
    SELECT {project: Int64}, arrayJoin(ids), person_id, (arrayJoin(states) AS state).1, state.2, 0,
      fromUnixTimestamp64Milli(created, 'UTC'), 0, ${arrival}
    FROM (${selectPersons()})`,
    { params },
  )
}

type StoredPerson = { uuid: string; ids: string[]; properties: string; version: number; created: number }

/** Inserts the same persons, with their latest properties, into the store, where capture looks them up. */
export async function insertStoredPersons(
  transaction: StoreTransaction,
  warehouse: Warehouse,
  params: Sample,
) {
  const persons = await warehouse.query<StoredPerson>(
    `SELECT toString(person_id) AS uuid, ids, states[-1].1 AS properties, states[-1].2 AS version, created FROM (${selectPersons()})`,
    { params },
  )
  await sql`
    WITH given AS (
      SELECT * FROM unnest(${persons.map((person) => person.uuid)}::uuid[], ${persons.map((person) => person.properties)}::jsonb[],
        ${persons.map((person) => person.version)}::bigint[], ${persons.map((person) => new Date(person.created))}::timestamptz[],
        ${persons.map((person) => JSON.stringify(person.ids))}::jsonb[]) AS g(uuid, properties, version, created_at, ids)
    ), made AS (
      INSERT INTO persons (project_id, uuid, properties, version, created_at)
      SELECT ${params.project}::int, uuid, properties, version, created_at FROM given
      ON CONFLICT DO NOTHING RETURNING id, uuid
    )
    INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version)
    SELECT ${params.project}::int, jsonb_array_elements_text(given.ids), made.id, 0 FROM made JOIN given USING (uuid)
    ON CONFLICT DO NOTHING`.execute(transaction)
}

function selectPersons(): string {
  const person = personSql('n')
  return `SELECT ${person.personId} AS person_id, ${person.createdMs} AS created, ${person.renewedMs} AS renewed,
    if(${person.isDeviceKnown}, [${person.distinctId}, ${person.deviceId}], [${person.distinctId}]) AS ids,
    arrayConcat([(${person.firstProperties}, 0, created)],
      if(renewed <= {anchor: Int64}, [(${person.renewedProperties}, 1, renewed)], [])) AS states
    FROM (SELECT toInt64(number) AS n FROM numbers(${personCount}))`
}
