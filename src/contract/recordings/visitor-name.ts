/**
 * Returns the name by which people know a visitor: the person's name or e-mail, else two words that always belong to the
 * distinct id, such as "Amber Heron". The API gives persons without a name their distinct id as `personName`.
 */
export function visitorName(personName: string | null, distinctId: string): string {
  if (isNamed(personName, distinctId)) return personName || distinctId
  return wordsOf(codeOf(distinctId)).join(' ')
}

/**
 * Returns the code of the two words that name a visitor without a name, which the store indexes; null if the distinct id is
 * an e-mail address.
 */
export function visitorWords(distinctId: string): number | null {
  return isEmail(distinctId) ? null : codeOf(distinctId)
}

/** Whether the name is the person's own, rather than derived from the distinct id. */
export function isNamed(personName: string | null, distinctId: string): boolean {
  return (personName !== null && personName !== '' && personName !== distinctId) || isEmail(distinctId)
}

/**
 * Returns the codes of the names of two words that a text gives, in any case: both words, one of them, or the first and
 * the beginning of the second.
 */
export function codesNamed(text: string): number[] {
  const typed = typedWords(text)
  const codes = Array.from({ length: adjectives.length * animals.length }, (_, code) => code)
  return codes.filter((code) => isGiven(wordsOf(code), typed))
}

/** Whether a visitor has a name of two words, and the text gives it. */
export function isCalled(text: string, personName: string | null, distinctId: string): boolean {
  return !isNamed(personName, distinctId) && isGiven(wordsOf(codeOf(distinctId)), typedWords(text))
}

/** Returns the words of a text, spelled as in the lists. */
function typedWords(text: string): string[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
}

function isGiven([adjective, animal]: Words, [first, second, ...others]: readonly string[]): boolean {
  if (others.length > 0) return false
  if (second === undefined) return first === adjective || first === animal
  return first === adjective && animal.startsWith(second)
}

/** Returns the hue (degrees) of the round mark beside a visitor's name. */
export function visitorHue(distinctId: string): number {
  return hashOf(distinctId) % 360
}

function isEmail(id: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(id)
}

/** A prime, so that all bits of a hash depend on all characters. */
const modulus = 16_777_213
/** Near the golden ratio of the modulus, so that consecutive ids have unlike names; the product stays exact. */
const factor = 10_368_889

function hashOf(id: string): number {
  let hash = 0
  for (const character of id) hash = ((hash + (character.codePointAt(0) ?? 0)) * factor) % modulus
  return hash
}

/** Returns the code of the two words of a distinct id, from 0 to 4095. */
function codeOf(id: string): number {
  return hashOf(id) % (adjectives.length * animals.length)
}

type Words = readonly [adjective: string, animal: string]

function wordsOf(code: number): Words {
  return [pick(adjectives, code), pick(animals, Math.floor(code / adjectives.length))]
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? ''
}

/** Changing these lists renames visitors, and the store contains codes in `visitor_words`. */
const adjectives =
  `Amber Autumn Azure Birch Bright Bronze Calm Candid Cedar Cherry Clear Clever Cloud Cobalt Copper Coral
  Cosmic Crimson Crystal Dapper Dawn Eager Early Ember Fern Gentle Ginger Golden Granite Hazel Honey Indigo
  Ivory Jade Jolly Keen Lilac Linen Lively Lunar Maple Marble Merry Mild Mint Misty Mossy Navy
  Nimble Olive Opal Pearl Plucky Quiet Rosy Ruby Rustic Saffron Silver Sunny Swift Teal Velvet Willow`.split(
    /\s+/,
  )
const animals =
  `Alpaca Badger Beaver Bison Bobcat Bunting Caribou Condor Crane Cricket Curlew Deer Dolphin Dove Egret Falcon
  Ferret Finch Firefly Fox Gazelle Gecko Hare Hedgehog Heron Ibex Ibis Jackdaw Jay Kestrel Kiwi Koala
  Lark Lemur Lynx Magpie Marmot Marten Moose Newt Ocelot Orca Osprey Otter Owl Panda Penguin Pika
  Plover Puffin Quail Rabbit Raven Robin Seal Sparrow Starling Stork Swallow Swan Tern Turtle Wombat Wren`.split(
    /\s+/,
  )
