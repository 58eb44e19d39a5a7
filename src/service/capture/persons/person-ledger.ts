import { isDeepStrictEqual } from 'node:util'
import { safeJson } from '../../engines/safe-text.ts'
import type { PersonChange } from './person-change.ts'
import { personIdOf } from './person-id.ts'

export type Person = {
  /** Id of the person's row in the store; null before it is inserted. */
  rowId: number | null
  projectId: number
  uuid: string
  properties: Record<string, unknown>
  /** The properties as JSON text. */
  text: string
  version: number
  /** Milliseconds since the epoch. */
  createdAt: number
  /** Number of its distinct ids. */
  idCount: number
  /** Whether the person is new, has new distinct ids, or was merged into another. */
  isTouched: boolean
  /** Whether the properties differ from the stored ones and need a new version. */
  isChanged: boolean
  /** The person that this one was merged into. */
  mergedInto: Person | null
}

/** A distinct id first assigned to a person by this ledger. */
export type NewDistinctId = { projectId: number; distinctId: string; person: Person }

type EventOfPerson = { distinctId: string; timestamp: number; change: PersonChange | null }

const textLengthMax = 512 * 1024
const noProperties = '{}'

/**
 * Computes in memory how a batch of events changes persons. `add` loads the persons that the batch names, `apply` handles
 * each event in order, and `persons` and `newIds` then contain the result to store.
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

  /** Applies an event; returns its person's id and properties (JSON text) after the event's own change. */
  apply(projectId: number, event: EventOfPerson): { personId: string; personProperties: string } {
    const known = this.#find(projectId, event.distinctId)
    const person = event.change ? this.#changed(projectId, event, event.change, known) : known
    if (person) return { personId: person.uuid, personProperties: person.text }
    const key = `${projectId}:${event.distinctId}`
    const personId = this.#unknown.get(key) ?? personIdOf(projectId, event.distinctId)
    this.#unknown.set(key, personId)
    return { personId, personProperties: noProperties }
  }

  #changed(projectId: number, event: EventOfPerson, change: PersonChange, known: Person | null): Person {
    const person = known ?? this.#anonymous(projectId, change) ?? create(projectId, event)
    if (!known) this.#attach(event.distinctId, person)
    if (change.joins !== null) this.#join(person, change.joins, change.force)
    update(person, change)
    return person
  }

  /** Finds the other id's person if this id can simply be added to that person. */
  #anonymous(projectId: number, { joins, force }: PersonChange): Person | null {
    const other = joins === null ? null : this.#find(projectId, joins)
    return other && (force || other.idCount === 1) ? other : null
  }

  #join(person: Person, distinctId: string, force: boolean): void {
    const other = this.#find(person.projectId, distinctId)
    if (other === person) return
    if (!other) return this.#attach(distinctId, person)
    // A person with several ids is somebody else: two users of one browser stay separate.
    if (other.idCount > 1 && !force) return
    other.mergedInto = person
    other.isTouched = true
    person.idCount += other.idCount
    person.createdAt = Math.min(person.createdAt, other.createdAt)
    setProperties(person, { ...other.properties, ...person.properties })
    touch(person)
  }

  #attach(distinctId: string, person: Person): void {
    this.add(distinctId, person)
    this.newIds.push({ projectId: person.projectId, distinctId, person })
    person.idCount += 1
    person.isTouched = true
  }

  #find(projectId: number, distinctId: string): Person | null {
    const person = this.#byId.get(`${projectId}:${distinctId}`)
    return person ? survivor(person) : null
  }
}

/** Follows merges to the remaining person; returns the same person if it was not merged. */
export function survivor(person: Person): Person {
  let last = person
  while (last.mergedInto) last = last.mergedInto
  return last
}

/** What is the same in all persons that the ledger has not changed. */
export const unchanged = { isTouched: false, isChanged: false, mergedInto: null }

function create(projectId: number, { distinctId, timestamp }: EventOfPerson): Person {
  const uuid = personIdOf(projectId, distinctId)
  const empty = { properties: {}, text: noProperties, version: 0, idCount: 0 }
  return { rowId: null, projectId, uuid, createdAt: timestamp, ...empty, ...unchanged }
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
  // `properties` is spread twice: first to keep the order of keys, then to take precedence over `setOnce`.
  const merged = { ...properties, ...setOnce, ...properties, ...set }
  for (const key of unset) delete merged[key]
  if (setProperties(person, merged)) touch(person)
}

/** Sets the properties and returns whether they changed; keeps the old ones if the new ones exceed `textLengthMax`. */
function setProperties(person: Person, properties: Record<string, unknown>): boolean {
  const text = safeJson(properties)
  if (text.length > textLengthMax || text === person.text) return false
  person.properties = properties
  person.text = text
  return true
}

/** Marks a person as changed. The version rises by at most one per flush; a new person's version is 0. */
function touch(person: Person): void {
  if (person.rowId !== null && !person.isChanged) person.version += 1
  person.isChanged = true
  person.isTouched = true
}
