import { isDeepStrictEqual } from 'node:util'
import { safeJson } from '../../engines/safe-text.ts'
import type { PersonChange } from './person-change.ts'
import { personIdOf } from './person-id.ts'

export type Person = {
  /** Of its row in the store; null before it has one. */
  rowId: number | null
  projectId: number
  uuid: string
  properties: Record<string, unknown>
  /** The properties as JSON text. */
  text: string
  version: number
  /** Milliseconds since the epoch. */
  createdAt: number
  /** How many distinct ids lead to it. */
  idCount: number
  /** Whether it is new, has new distinct ids, or became part of another. */
  isTouched: boolean
  /** Whether its properties are others than the stored ones, which makes a version. */
  isChanged: boolean
  /** The person that this one became part of. */
  mergedInto: Person | null
}

/** A distinct id that got its person in this ledger. */
export type NewDistinctId = { projectId: number; distinctId: string; person: Person }

type EventOfPerson = { distinctId: string; timestamp: number; change: PersonChange | null }

const textLimit = 512 * 1024
const noPerson = '{}'

/**
 * Works out in memory, event by event, what a batch does to persons: loaded with those that it names (`add`), told the
 * events in order (`apply`), it then holds what is to be stored.
 */
export class PersonLedger {
  readonly persons = new Set<Person>()
  readonly newIds: NewDistinctId[] = []
  readonly #byId = new Map<string, Person>()
  readonly #unknown = new Map<string, string>()

  add(distinctId: string, person: Person): void {
    this.persons.add(person)
    this.#byId.set(`${person.projectId}:${distinctId}`, person)
  }

  /** What stands on the event: its person's id, and properties (JSON text) after what the event itself changes. */
  apply(projectId: number, event: EventOfPerson): { personId: string; personProperties: string } {
    const known = this.#find(projectId, event.distinctId)
    const person = event.change ? this.#changed(projectId, event, event.change, known) : known
    if (person) return { personId: person.uuid, personProperties: person.text }
    const key = `${projectId}:${event.distinctId}`
    const personId = this.#unknown.get(key) ?? personIdOf(projectId, event.distinctId)
    this.#unknown.set(key, personId)
    return { personId, personProperties: noPerson }
  }

  #changed(projectId: number, event: EventOfPerson, change: PersonChange, known: Person | null): Person {
    const person = known ?? this.#anonymous(projectId, change) ?? create(projectId, event)
    if (!known) this.#attach(event.distinctId, person)
    if (change.joins !== null) this.#join(person, change.joins, change.force)
    update(person, change)
    return person
  }

  /** The person that the other id has, when this one may simply become another id of it. */
  #anonymous(projectId: number, { joins, force }: PersonChange): Person | null {
    const other = joins === null ? null : this.#find(projectId, joins)
    return other && (force || other.idCount === 1) ? other : null
  }

  #join(person: Person, distinctId: string, force: boolean): void {
    const other = this.#find(person.projectId, distinctId)
    if (other === person) return
    if (!other) return this.#attach(distinctId, person)
    // An id that already joined another belongs to somebody else: two users of one browser stay two.
    if (other.idCount > 1 && !force) return
    other.mergedInto = person
    other.isTouched = true
    person.idCount += other.idCount
    person.createdAt = Math.min(person.createdAt, other.createdAt)
    write(person, { ...other.properties, ...person.properties })
    touch(person)
  }

  #attach(distinctId: string, person: Person): void {
    this.persons.add(person)
    this.#byId.set(`${person.projectId}:${distinctId}`, person)
    this.newIds.push({ projectId: person.projectId, distinctId, person })
    person.idCount += 1
    person.isTouched = true
  }

  #find(projectId: number, distinctId: string): Person | null {
    const person = this.#byId.get(`${projectId}:${distinctId}`)
    return person ? survivor(person) : null
  }
}

/** The person that this one is part of by now, in the end; itself when it was not merged. */
export function survivor(person: Person): Person {
  let last = person
  while (last.mergedInto) last = last.mergedInto
  return last
}

function create(projectId: number, { distinctId, timestamp }: EventOfPerson): Person {
  return {
    rowId: null,
    projectId,
    uuid: personIdOf(projectId, distinctId),
    properties: {},
    text: noPerson,
    version: 0,
    createdAt: timestamp,
    idCount: 0,
    isTouched: false,
    isChanged: false,
    mergedInto: null,
  }
}

function update(person: Person, { set, setOnce, unset }: PersonChange): void {
  const { properties } = person
  const differs =
    Object.keys(set).some(
      (key) => !Object.hasOwn(properties, key) || !isDeepStrictEqual(properties[key], set[key]),
    ) ||
    Object.keys(setOnce).some((key) => !Object.hasOwn(properties, key)) ||
    unset.some((key) => Object.hasOwn(properties, key))
  if (!differs) return
  // Named twice: first for the order of the keys, then to win over what is set once.
  const merged = { ...properties, ...setOnce, ...properties, ...set }
  const kept =
    unset.length === 0
      ? Object.entries(merged)
      : Object.entries(merged).filter(([key]) => !unset.includes(key))
  if (write(person, Object.fromEntries(kept))) touch(person)
}

/** Whether the properties became others; those beyond all measure stay as they were. */
function write(person: Person, properties: Record<string, unknown>): boolean {
  const text = safeJson(properties)
  if (text.length > textLimit || text === person.text) return false
  person.properties = properties
  person.text = text
  return true
}

/** One version more than the stored one, however many changes there are; a new person's first version is 0. */
function touch(person: Person): void {
  if (person.rowId !== null && !person.isChanged) person.version += 1
  person.isChanged = true
  person.isTouched = true
}
